// The mistakes of a newcomer, and the advice of the editor that is followed.
//
// `right` is the correct text, and `wrong` is written instead. Then the newcomer sees a diagnostic with the code, and either applies the
// `fix` whose title contains that text, or takes the item that `completion` offers for the beginning of a word, or reads the diagnostic,
// which contains `said`, and types `types`. `gives` is the resulting text, if it is not `right`.

exports.MISTAKES = {
  "calls.ogc": [
    { right: "type Weather =", wrong: "type Weather:", code: "colon-for-equals", fix: "write `=`" },
    { right: "city: string", wrong: "city = string", code: "equals-for-colon", fix: "write `:`" },
    { right: "string<1..60>,", wrong: "string<1..60>", code: "missing-comma", fix: "write `,`" },
    { right: "string<1..200>", wrong: "string(1..200)", code: "call", fix: "write `<` and `>`" },
    {
      right: "string<..60>",
      from: "string<1..60>",
      wrong: "string<max_length = 60>",
      code: "wrong-refinement",
      fix: "write `..60`",
    },
    { right: '"fahrenheit"', wrong: "fahrenheit", code: "unknown-name", fix: '"fahrenheit"' },
    { right: "Search>)", wrong: "Serch>)", code: "unknown-name", fix: "Search" },
    { right: "max_tokens", wrong: "max_length", code: "wrong-arguments", completion: ["max_t", "max_tokens ="] },
    {
      right: "limit?: int<1..20>",
      wrong: "limit?: int<1..20> = 5",
      code: "default-value",
      said: "`name?: T`",
      types: "limit?: int<1..20>",
    },
    {
      right: '"celsius"}}</call>',
      from: '"celsius"}}</call>',
      wrong: '"kelvin"}}</call>',
      code: "test",
      said: "celsius",
      types: '"celsius"}}</call>',
    },
  ],
  "incident.ogc": [
    {
      right: "// A report about an incident, as one JSON record.",
      wrong: "/* A report about an incident, as one JSON record. */",
      code: "block-comment",
      fix: "//",
    },
    { right: "email | null", wrong: "email || null", code: "doubled-operator", fix: "write `|`" },
    { right: "email | null", wrong: "Optional[email]", code: "foreign-type", fix: "email | null", gives: "(email | null)" },
    { right: "Person[0..5]", wrong: "List[Person]", code: "foreign-type", fix: "Person[0..]", gives: "Person[0..]" },
    { right: "Section[1..8]", wrong: "Section[8..1]", code: "empty-range", fix: "write `1..8`" },
    {
      right: "text: string<1..300>",
      wrong: "text: str",
      code: "unknown-name",
      fix: "write `string`",
      gives: "text: string",
    },
    {
      right: "heading: string",
      wrong: "heading: text",
      from: "heading: string<1..100>",
      code: "text-in-type",
      fix: "write `string`",
    },
    { right: "date: date,", wrong: "date: date;", code: "semicolon", fix: "write `,`" },
  ],
  "robot.ogc": [
    {
      right: "rule count",
      wrong: "rule number",
      code: "builtin-name",
      said: "choose another name",
      types: "rule count",
    },
    { right: "rule turn =", wrong: "rule turn ::=", code: "foreign-sign", fix: "write `=`" },
    {
      right: "/[1-9][0-9]{0,2}/",
      wrong: "/[1-9][0-9]{0,2}",
      code: "unclosed-regex",
      said: "close it with `/`",
      types: "/[1-9][0-9]{0,2}/",
    },
    { right: '"left" | "right"', wrong: '"left" | "right" |', code: "empty-alternative", fix: "remove" },
    { right: "command[1..20]", wrong: "comand[1..20]", code: "unknown-name", fix: "command" },
  ],
};
