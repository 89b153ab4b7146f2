//! Completion: the names, keywords and values that may stand at the cursor.
