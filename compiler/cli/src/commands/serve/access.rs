//! Access control of a server, from its arguments and the environment.

use std::net::SocketAddr;

use ogc_serve::{AccessError, AccessOptions};

use crate::args::AccessArgs;
use crate::problem::Problem;

/// Environment variable that holds the clients' keys.
const KEYS: &str = "OGC_API_KEY";

/// Reads the access options of a server that listens on `listen`.
pub(super) fn options(args: &AccessArgs, listen: SocketAddr) -> Result<AccessOptions, Problem> {
    let keys = keys()?;
    let read = || -> Result<AccessOptions, AccessError> {
        let mut access = AccessOptions::default();
        args.allow_host.iter().try_for_each(|host| access.allow_host(host))?;
        args.allow_origin.iter().try_for_each(|origin| access.allow_origin(origin))?;
        args.api_key.iter().chain(&keys).try_for_each(|key| access.add_key(key))?;
        access.check_address(listen)?;
        Ok(access)
    };
    read().map_err(|error| Problem::Usage { message: error.to_string() })
}

/// Returns the keys of the environment. A variable that is set but empty is an error: it would open a server that was
/// meant to be closed.
fn keys() -> Result<Vec<String>, Problem> {
    let Some(keys) = std::env::var_os(KEYS) else { return Ok(Vec::new()) };
    let Ok(keys) = keys.into_string() else {
        let message = format!("`{KEYS}` of the environment is not UTF-8: give keys of visible ASCII characters");
        return Err(Problem::Usage { message });
    };
    let keys: Vec<String> = keys.split(',').map(|key| key.trim().to_owned()).collect();
    if keys.iter().any(String::is_empty) {
        let message = format!("`{KEYS}` of the environment has an empty key: give it a key, or remove the variable");
        return Err(Problem::Usage { message });
    }
    Ok(keys)
}
