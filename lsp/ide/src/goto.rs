//! Definition, type definition and implementation of the name at the cursor.
