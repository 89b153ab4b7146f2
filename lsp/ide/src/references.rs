//! References: all places that name the thing at the cursor.
