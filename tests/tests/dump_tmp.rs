//! Temporary.
use ogc_compiler::export::{Graph, ogc as ogc_export};
use ogc_tests::engine::{self, Reading};
#[test]
fn dump() {
    let ids = std::env::var("IDS").unwrap_or_default();
    let path = ogc_tests::corpus::find("maskbench-dev.jsonl.zst").unwrap();
    for case in ogc_tests::corpus::cases(&path).unwrap() {
        if ids.split(',').any(|id| id == case.id) {
            let imported = engine::import(&case.schema, &Reading::asserting());
            let (file, findings) = ogc_export::types(&Graph::of(&imported));
            let text = ogc_grammar::ogc::print(&file);
            std::fs::write(format!("/tmp/dump-{}.ogc", case.id), &text).unwrap();
            std::fs::write(format!("/tmp/dump-{}.json", case.id), &case.schema).unwrap();
            let r = engine::ogc(&format!("policy space = \"any\", numbers = \"json\"\n{text}")).err();
            println!("{} {findings:?} {r:?}", case.id);
        }
    }
}
