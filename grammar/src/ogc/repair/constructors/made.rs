//! A type that is read from a call, and its text in ogc.

/// A type that a call in another language makes.
#[derive(Clone, Debug)]
pub(super) struct Made {
    base: Base,
    low: Option<String>,
    high: Option<String>,
    /// Further arguments of a named type, such as `above = 0`.
    conditions: Vec<String>,
    nullable: bool,
    /// Whether the field that has this type may be absent.
    pub(super) optional: bool,
    /// Whether the ogc text says everything that the call says.
    pub(super) exact: bool,
    /// Advice for writing the parts that the ogc text omits: phrases that continue "write `T`, ", such as "with ...".
    pub(super) beside: Vec<String>,
}

#[derive(Clone, Debug)]
enum Base {
    /// A type that takes bounds and conditions in `<...>`.
    Named(&'static str),
    /// An array: the text of its items, and whether they are unique.
    Array(String, bool),
    /// Any other text, and whether it needs parentheses as an operand.
    Written(String, bool),
}

impl Made {
    fn new(base: Base) -> Self {
        let (conditions, beside) = (Vec::new(), Vec::new());
        Made { base, low: None, high: None, conditions, nullable: false, optional: false, exact: true, beside }
    }

    /// Makes a type that takes arguments, such as `string`.
    pub(super) fn named(name: &'static str) -> Self {
        Self::new(Base::Named(name))
    }

    /// Makes an expression that needs no parentheses as an operand.
    pub(super) fn tight(text: impl Into<String>) -> Self {
        Self::new(Base::Written(text.into(), false))
    }

    /// Makes a union.
    pub(super) fn union(arms: &[Made]) -> Self {
        let texts: Vec<String> = arms.iter().map(Made::written).collect();
        let made = Self::new(Base::Written(texts.join(" | "), arms.len() > 1));
        Made { exact: arms.iter().all(Made::is_whole), ..made }
    }

    /// Makes an array.
    pub(super) fn array(item: &Made, unique: bool) -> Self {
        Made { exact: item.is_whole(), ..Self::new(Base::Array(item.operand(), unique)) }
    }

    /// Makes a type whose text contains other types.
    pub(super) fn around(text: String, parts: &[Made]) -> Self {
        Made { exact: parts.iter().all(Made::is_whole), ..Self::tight(text) }
    }

    /// Returns whether the type can be part of another without losing anything.
    pub(super) fn is_whole(&self) -> bool {
        self.exact && !self.optional && self.beside.is_empty()
    }

    /// Allows further keys in a record that is written out: `...`, or `[string]: T`. Another type is no longer exact.
    pub(super) fn open(&mut self, others: &str) {
        match &mut self.base {
            Base::Written(text, false) if text.starts_with('{') && text.ends_with(" }") => {
                text.truncate(text.len() - 2);
                let fields = text.trim_end().len();
                text.truncate(fields);
                let comma = if text.ends_with('{') { "" } else { "," };
                *text += &format!("{comma} {others} }}");
            }
            _ => self.exact = false,
        }
    }

    /// Changes the name of a named type, such as `string` to `email`. A type of another kind is no longer exact.
    pub(super) fn rename(&mut self, name: &'static str) {
        match &mut self.base {
            Base::Named(named) => *named = name,
            _ => self.exact = false,
        }
    }

    pub(super) fn at_least(&mut self, low: &str) {
        self.bounded();
        self.low = Some(low.to_owned());
    }

    pub(super) fn at_most(&mut self, high: &str) {
        self.bounded();
        self.high = Some(high.to_owned());
    }

    fn bounded(&mut self) {
        self.exact &= !matches!(self.base, Base::Written(..));
    }

    /// Adds a condition of a named type.
    pub(super) fn condition(&mut self, condition: String) {
        let name = |condition: &str| condition.split(" = ").next().map(str::to_owned);
        let twice = self.conditions.iter().any(|one| name(one) == name(&condition));
        self.exact &= matches!(self.base, Base::Named(_)) && !twice;
        if !twice {
            self.conditions.push(condition);
        }
    }

    /// Returns the type for a field that may be absent, or that must be present.
    pub(super) fn in_field(self, optional: bool) -> Self {
        Made { optional, ..self }
    }

    pub(super) fn or_null(&mut self) {
        self.nullable = true;
    }

    /// Returns the type as ogc writes it.
    pub(super) fn written(&self) -> String {
        let bare = self.bare();
        if self.nullable { format!("{bare} | null") } else { bare }
    }

    /// Returns the type as ogc writes it before `[...]`.
    pub(super) fn operand(&self) -> String {
        let unique = matches!(self.base, Base::Array(_, true));
        let loose = self.nullable || unique || matches!(self.base, Base::Written(_, true));
        if loose { format!("({})", self.written()) } else { self.written() }
    }

    fn bare(&self) -> String {
        let (low, high) = (self.low.as_deref().unwrap_or_default(), self.high.as_deref().unwrap_or_default());
        match &self.base {
            Base::Named(name) => {
                let bounds = (!low.is_empty() || !high.is_empty()).then(|| format!("{low}..{high}"));
                let arguments: Vec<String> = bounds.into_iter().chain(self.conditions.iter().cloned()).collect();
                if arguments.is_empty() { (*name).to_owned() } else { format!("{name}<{}>", arguments.join(", ")) }
            }
            Base::Array(item, unique) => {
                let bounds = match (low, high) {
                    ("", high) => format!("0..{high}"),
                    (low, high) if low == high => low.to_owned(),
                    (low, high) => format!("{low}..{high}"),
                };
                let unique = if *unique { " & array<unique = true>" } else { "" };
                format!("{item}[{bounds}]{unique}")
            }
            Base::Written(text, _) => text.clone(),
        }
    }
}
