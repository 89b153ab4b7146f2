//! Letters of other scripts that look like Latin letters: in many fonts the two cannot be distinguished.

/// Returns the Latin letter that a letter of another script looks like.
///
/// ```
/// use ogc_grammar::looks::latin_like;
/// assert_eq!((latin_like('а'), latin_like('a'), latin_like('ж')), (Some('a'), None, None));
/// ```
#[must_use]
pub fn latin_like(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'α' => 'a',
        'с' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' => 'C',
        'Е' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        'Ј' => 'J',
        'К' | 'Κ' => 'K',
        'М' | 'Μ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' => 'O',
        'Р' | 'Ρ' => 'P',
        'Ѕ' => 'S',
        'Т' | 'Τ' => 'T',
        'Ԝ' => 'W',
        'Х' | 'Χ' => 'X',
        'У' | 'Υ' => 'Y',
        'Ζ' => 'Z',
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(letter as u32 - 0xff21 + 0x41)?,
        '\u{1d400}'..='\u{1d6a3}' => {
            let place = (letter as u32 - 0x1d400) % 52;
            char::from_u32(if place < 26 { 0x41 + place } else { 0x61 + place - 26 })?
        }
        _ => return None,
    })
}

/// Replaces the letters of a word by the Latin letters that they look like.
#[must_use]
pub fn in_latin(word: &str) -> String {
    word.chars().map(|letter| latin_like(letter).unwrap_or(letter)).collect()
}

/// Returns whether two different words look alike.
#[must_use]
pub fn look_alike(one: &str, other: &str) -> bool {
    one != other && in_latin(one) == in_latin(other)
}

/// Describes the first letter of a word that looks Latin but is not; `None` if there is no such letter.
///
/// ```
/// use ogc_grammar::looks::stranger;
/// assert_eq!(stranger("nаme").as_deref(), Some("`а` (U+0430, Cyrillic) in it looks like `a`"));
/// assert_eq!(stranger("name"), None);
/// ```
#[must_use]
pub fn stranger(word: &str) -> Option<String> {
    let (letter, like) = word.chars().find_map(|letter| Some((letter, latin_like(letter)?)))?;
    Some(format!("`{letter}` (U+{:04X}, {}) in it looks like `{like}`", letter as u32, script(letter)))
}

/// Returns whether a word mixes Latin letters with letters that look Latin, and has no others: such a word was meant to
/// be Latin.
#[must_use]
pub fn mixes_scripts(word: &str) -> bool {
    let has_latin = word.chars().any(|letter| letter.is_ascii_alphabetic());
    let has_stranger = word.chars().any(|letter| latin_like(letter).is_some());
    has_latin && has_stranger && in_latin(word).is_ascii()
}

/// Returns the name of the script of a letter that looks Latin.
fn script(letter: char) -> &'static str {
    match letter {
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{400}'..='\u{52f}' => "Cyrillic",
        '\u{530}'..='\u{58f}' => "Armenian",
        '\u{ff00}'..='\u{ffef}' => "full width",
        '\u{1d400}'..='\u{1d7ff}' => "mathematical",
        _ => "another letter",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_latin_are_letters_of_names_and_not_latin() {
        let mut letters = 0;
        for letter in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let Some(like) = latin_like(letter) else { continue };
            letters += 1;
            assert!(like.is_ascii_alphabetic() && !letter.is_ascii(), "{letter} {like}");
            let case = like.is_uppercase() == letter.is_uppercase() || (letter as u32) > 0xffff;
            assert!(case || !letter.is_uppercase(), "{letter} {like}");
            assert!(look_alike(&letter.to_string(), &like.to_string()), "{letter} {like}");
        }
        assert!(letters > 700, "{letters}");
    }

    #[test]
    fn only_words_of_several_scripts_count_as_mixed() {
        for word in ["name", "имя", "оса", "όνομα", "naïve", "пример_1", "名前"] {
            assert!(!mixes_scripts(word), "{word}");
        }
        for word in ["nаme", "ТyPE", "ｎame", "strіng"] {
            assert!(mixes_scripts(word), "{word}");
        }
    }
}
