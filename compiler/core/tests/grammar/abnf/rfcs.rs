//! Grammars as RFCs print them.

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_grammar::Code;

use crate::grammar::matcher;

/// Checks the verdicts of the runtime on texts of a grammar; returns the codes of its findings.
#[track_caller]
fn check(grammar: &str, accepted: &[&str], refused: &[&str]) -> Vec<Code> {
    let (automaton, found) = compile_grammar(grammar, Dialect::Abnf, &Limits::default());
    let automaton = automaton.unwrap_or_else(|| panic!("{found:?}"));
    let mut matcher = matcher::matcher(automaton, &matcher::store());
    for (texts, verdict) in [(accepted, true), (refused, false)] {
        for text in texts {
            assert_eq!(matcher::accepts(&mut matcher, text), Some(verdict), "{text:?}");
        }
    }
    found.iter().map(|one| one.code).collect()
}

#[test]
fn the_uri_grammar_of_rfc_3986_accepts_its_examples() {
    let accepted = [
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "http://www.ietf.org/rfc/rfc2396.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "telnet://192.0.2.16:80/",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "HTTP://user:pw@[::ffff:1.2.3.4]:8080/a%2Fb?q=1#f/?",
        "http://[v7.a:b]/",
        "a:",
        "x:///",
        "http://[1:2:3:4:5:6:7::]",
    ];
    let refused = [
        "",
        "//host/path",
        "1http://a",
        "http://a b",
        "http://a/%2",
        "http://a/%zz",
        "http://[2001:db8:::7]/",
        "http://[1:2:3:4:5:6:7:8:9]/",
        "http://[12345::]/",
        "http://a:b/c",
        "http://a/#b#c",
        "http://é/",
        "http://a/[",
    ];
    assert_eq!(check(include_str!("rfc3986.abnf"), &accepted, &refused), []);
}

#[test]
fn the_syslog_grammar_of_rfc_5424_accepts_its_examples() {
    let accepted = [
        "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \u{FEFF}'su root' failed for lonvick on /dev/pts/8",
        "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.",
        "<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut=\"3\" \
         eventSource=\"Application\" eventID=\"1011\"] \u{FEFF}An application event log entry...",
        "<165>1 2003-10-11T22:14:15.003Z m e - ID47 [a@1 iut=\"3\"][b@2 class=\"high\"]",
        "<0>999 - - - - - -",
        "<1>1 - - - - - - Grüße, 日本 😀",
        "<1>1 2003-10-11t22:14:15z - - - - -",
    ];
    let refused = [
        "<34> 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - x",
        "<1234>1 - - - - - -",
        "<34>0 - - - - - -",
        "<34>1 2003-10-11T22:14:15.1234567Z - - - - -",
        "<34>1 2003-10-11T22:14:15.003 - - - - -",
        "<34>1 - é - - - -",
        "<34>1 - - - - -",
        "<34>1 - - - - - [a",
        "34>1 - - - - - -",
    ];
    let octets = [Code::AbnfOctets, Code::AbnfOctets];
    assert_eq!(check(include_str!("rfc5424.abnf"), &accepted, &refused), octets, "the BOM, and OCTET");
}

#[test]
fn the_date_grammar_of_rfc_9110_accepts_its_examples() {
    let accepted = [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun Nov 16 08:49:37 1994",
        "Wed, 31 Dec 9999 23:59:60 GMT",
    ];
    let refused = [
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 gmt",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49 GMT",
    ];
    assert_eq!(check(include_str!("rfc9110-dates.abnf"), &accepted, &refused), []);
}
