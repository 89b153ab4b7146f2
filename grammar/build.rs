//! Generates the parser of the ogc language from `src/ogc/grammar.lalrpop`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::process_src()
}
