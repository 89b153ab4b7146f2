//! Highlights: the places in one file that name the thing at the cursor.
