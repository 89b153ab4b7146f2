//! Tests of the layout of small programs, and that formatting twice changes nothing.

use crate::ogc::format;

#[test]
fn messy_programs_have_one_layout() {
    for (messy, neat) in [
        ("type A={a:string,b?:int,}", "type A = {\n  a: string,\n  b?: int,\n}\n"),
        ("type A=|\"a\"|\"b\"", "type A =\n  | \"a\"\n  | \"b\"\n"),
        ("rule a=b  ?c[ 1 .. 3 ]%','(d|e)*", "rule a = b? c[1..3] % ',' (d | e)*\n"),
        ("type A = { a: b, // x\n c: d }", "type A = {\n  a: b,  // x\n  c: d,\n}\n"),
        ("type A = { a: b,\n\n\n // x\n c: d }", "type A = {\n  a: b,\n\n  // x\n  c: d,\n}\n"),
        ("type A = { a: b\n // last\n }", "type A = {\n  a: b,\n  // last\n}\n"),
        ("@a @b(1,x=2)type A=-5..-3", "@a\n@b(1, x = 2)\ntype A = -5..-3\n"),
        ("policy space=\"any\",depth=3", "policy space = \"any\", depth = 3\n"),
        ("import A as B,C from 'x' with{D=/x/}", "import A as B, C from 'x' with { D = /x/ }\n"),
        (
            "test A{accept 'x' tok'y' because'z' reject{a:1}}",
            "test A {\n  accept 'x' tok'y' because 'z'\n  reject { a: 1 }\n}\n",
        ),
        ("// top\n\n\n\ntype A = int // end\n// more\n", "// top\n\ntype A = int  // end\n// more\n"),
        ("type A = int type B = int", "type A = int\ntype B = int\n"),
        ("output A = json<{a:int},space='any'>", "output A = json<{ a: int }, space = 'any'>\n"),
        ("type A = (a|b)&{...Base,...}-c", "type A = (a | b) & { ...Base, ... } - c\n"),
        ("/// doc\n@a(\"b\")type A = int", "/// doc\n@a(\"b\")\ntype A = int\n"),
        ("type A = {}", "type A = {}\n"),
        ("test A {}", "test A {}\n"),
        ("type A = { broken ", "type A = { broken\n"),
    ] {
        assert_eq!(format(messy), neat, "{messy}");
        assert_eq!(format(neat), neat, "{messy}");
    }
}
