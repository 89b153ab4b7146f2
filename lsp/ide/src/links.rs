//! Document links: the paths of imports and the references of schemas.
