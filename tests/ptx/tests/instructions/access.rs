//! Tests of loads and stores in all spaces, of one register or several: the moved bytes against the original ones.

use std::fmt::Write;

use ogc_ptx::{Argument, Device, Launch};

use ogc_kit::Random;

/// The number of bytes of each thread, and the number of threads.
const OWN: usize = 16;
const THREADS: usize = 64;

/// A load or store: its space, the number of its registers, and their type.
struct Form<'f> {
    text: &'f str,
    space: &'f str,
    registers: usize,
    bits: usize,
    ty: &'f str,
}

impl<'f> Form<'f> {
    fn of(text: &'f str) -> Self {
        let parts: Vec<&str> = text.split('.').collect();
        let ty = parts[parts.len() - 1];
        let registers = if parts.contains(&"v4") {
            4
        } else if parts.contains(&"v2") {
            2
        } else {
            1
        };
        let space = if ["global", "shared", "local", "param"].contains(&parts[1]) { parts[1] } else { "generic" };
        Self { text, space, registers, bits: ty[1..].parse().unwrap(), ty }
    }

    fn bytes(&self) -> usize {
        self.registers * self.bits / 8
    }

    /// Declares the registers.
    fn declared(&self) -> String {
        let ty = if self.ty.starts_with('f') { self.ty.to_owned() } else { format!("b{}", self.bits.max(16)) };
        format!(".reg .{ty} %x<4>;\n")
    }

    /// Returns the registers in the form of the instruction.
    fn list(&self) -> String {
        let all: Vec<String> = (0..self.registers).map(|at| format!("%x{at}")).collect();
        if self.registers == 1 { all.concat() } else { format!("{{{}}}", all.join(", ")) }
    }

    /// Moves the registers one by one: `way` is `ld` or `st`, from or to a register with an address in global memory.
    fn one_by_one(&self, way: &str, address: &str) -> String {
        let mut text = String::new();
        for at in 0..self.registers {
            let place = format!("[{address}+{}]", at * self.bits / 8);
            let ty = format!("b{}", self.bits);
            match way {
                "ld" => writeln!(text, "ld.global.{ty} %x{at}, {place};").unwrap(),
                _ => writeln!(text, "st.global.{ty} {place}, %x{at};").unwrap(),
            }
        }
        text
    }
}

/// Copies a thread's words from one address to another, each with its space.
fn words(from: [&str; 2], to: [&str; 2]) -> String {
    let copy = |at: usize| {
        let at = 4 * at;
        format!("ld.{}.b32 %w, [{}+{at}];\nst.{}.b32 [{}+{at}], %w;\n", from[0], from[1], to[0], to[1])
    };
    (0..OWN / 4).map(copy).collect()
}

/// Returns the kernel with a body: `%in` and `%out` are the addresses of the thread's bytes, `%sh` is its address in
/// shared memory, and `own` its local memory.
fn kernel(form: &Form<'_>, body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 open[];\n\
         .visible .entry one(.param .u64 in, .param .u64 out, .param .align 16 .b8 block[16]) {{\n\
         .reg .b64 %in, %out, %at;\n.reg .b32 %t, %w, %sh;\n.local .align 16 .b8 own[16];\n{}\
         ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %at, %t, 16;\n\
         add.u64 %in, %in, %at;\nadd.u64 %out, %out, %at;\nmov.u32 %sh, open;\nmad.lo.u32 %sh, %t, 16, %sh;\n{body}ret;\n}}\n",
        form.declared(),
    )
}

/// Runs a kernel on random bytes; returns them, and the bytes that it wrote over zeros.
fn run(text: &str, parameter: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let module = ogc_ptx::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut random = Random::new(9);
    let given: Vec<u8> = (0..OWN * THREADS).map(|_| random.next() as u8).collect();
    let mut device = Device::new(&module);
    let (from, to) = (device.buffer("in", &given), device.buffer("out", &vec![0u8; given.len()]));
    let launch = Launch { shared: (OWN * THREADS) as u32, ..Launch::new("one", 1, THREADS as u32) };
    let arguments = [Argument::Buffer(from), Argument::Buffer(to), Argument::Bytes(parameter.to_vec())];
    device.launch(&launch, &arguments).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    (given, device.read(to).unwrap())
}

/// Returns the address at which a form finds the thread's bytes, and the instructions that put them there.
fn place(form: &Form<'_>) -> (&'static str, String) {
    match form.space {
        "shared" => ("%sh", words(["global", "%in"], ["shared", "%sh"])),
        "local" => ("own", words(["global", "%in"], ["local", "own"])),
        "param" => ("block", String::new()),
        _ => ("%in", String::new()),
    }
}

#[test]
fn every_form_of_load_reads_the_stored_value() {
    let forms = [
        "ld.f32",
        "ld.u16",
        "ld.u32",
        "ld.u8",
        "ld.global.f32",
        "ld.global.nc.f32",
        "ld.global.nc.s32",
        "ld.global.nc.u16",
        "ld.global.nc.u32",
        "ld.global.nc.v2.f32",
        "ld.global.nc.v4.f32",
        "ld.global.nc.v4.u32",
        "ld.global.u16",
        "ld.global.u32",
        "ld.global.u64",
        "ld.global.u8",
        "ld.global.v2.u32",
        "ld.global.v4.f32",
        "ld.global.v4.u32",
        "ld.local.u16",
        "ld.local.u32",
        "ld.local.u64",
        "ld.local.u8",
        "ld.local.v2.u32",
        "ld.local.v4.u32",
        "ld.param.u32",
        "ld.param.u64",
        "ld.param.v2.u32",
        "ld.shared.f32",
        "ld.shared.u16",
        "ld.shared.u32",
        "ld.shared.u64",
        "ld.shared.v2.f32",
        "ld.shared.v2.u16",
        "ld.shared.v2.u32",
        "ld.shared.v2.u64",
        "ld.shared.v4.f32",
        "ld.shared.v4.u32",
    ];
    for form in forms.map(Form::of) {
        let (address, put) = place(&form);
        let body = format!("{put}{} {}, [{address}];\n{}", form.text, form.list(), form.one_by_one("st", "%out"));
        let parameter: Vec<u8> = (1..=OWN as u8).collect();
        let (given, found) = run(&kernel(&form, &body), &parameter);
        for (given, found) in given.chunks(OWN).zip(found.chunks(OWN)) {
            let given = if form.space == "param" { &parameter } else { given };
            let expected = [&given[..form.bytes()], &vec![0; OWN - form.bytes()]].concat();
            assert_eq!(found, expected, "{}", form.text);
        }
    }
}

#[test]
fn every_form_of_store_writes_the_given_value() {
    let forms = [
        "st.u32",
        "st.u8",
        "st.f32",
        "st.global.f32",
        "st.global.u16",
        "st.global.u32",
        "st.global.u64",
        "st.global.v2.u32",
        "st.global.v4.f32",
        "st.global.v4.u32",
        "st.local.u32",
        "st.local.u64",
        "st.local.v2.u32",
        "st.local.v4.u32",
        "st.shared.f32",
        "st.shared.u32",
        "st.shared.u64",
        "st.shared.v2.u32",
        "st.shared.v4.f32",
        "st.shared.v4.u32",
    ];
    for form in forms.map(Form::of) {
        let get = form.one_by_one("ld", "%in");
        // The words around the stored ones must stay unchanged.
        let body = match form.space {
            "shared" | "local" => {
                let (address, put) = place(&form);
                let put = put.replace("[%in", "[%out");
                let back = words([form.space, address], ["global", "%out"]);
                format!("{put}{get}{} [{address}], {};\n{back}", form.text, form.list())
            }
            _ => format!("{get}{} [%out], {};\n", form.text, form.list()),
        };
        let (given, found) = run(&kernel(&form, &body), &[0; OWN]);
        for (given, found) in given.chunks(OWN).zip(found.chunks(OWN)) {
            let expected = [&given[..form.bytes()], &vec![0; OWN - form.bytes()]].concat();
            assert_eq!(found, expected, "{}", form.text);
        }
    }
}
