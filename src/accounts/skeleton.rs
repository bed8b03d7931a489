//! When two names are one to those who read them. Pure.
//!
//! A name has two keys, and two names are too alike where either key is. One forgets case, as people
//! do who write a name down; the other keeps of each letter only how it looks, as Unicode's
//! technical standard 39 has it, in small letters and in capitals. One key for both would also hold
//! against each other what is neither: the Greek `ν`, which looks like a `v`, has a capital that
//! looks like an `N`.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// What a name is compared by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NameKeys {
    /// The name without its case.
    pub folded: String,
    /// How it looks, whatever letters it is written in.
    pub look: String,
}

impl NameKeys {
    /// The keys of a name.
    pub fn of(name: &str) -> NameKeys {
        // Several spaces are shown as one.
        let composed: String = name.nfkc().collect();
        let spaced = composed.split_whitespace().collect::<Vec<_>>().join(" ");
        // As it stands; then in small letters, where `m` looks like `rn`; then in capitals, where
        // `i` looks like `l`. Each can only make names more alike.
        let small = look(&spaced).to_lowercase();
        let capital = look(&small).to_uppercase();
        NameKeys { folded: fold(&spaced), look: fold(&look(&capital)) }
    }
}

fn look(text: &str) -> String {
    skeleton(text).collect()
}

/// Through capitals, so that what has one capital has one small form: `ß` is `ss`, `ς` is `σ`; and from
/// small letters, as the capital `ẞ` has none but `ß`.
fn fold(text: &str) -> String {
    text.to_lowercase().to_uppercase().to_lowercase().replace('ς', "σ").nfkc().collect()
}

/// Names that nobody chooses, because they would pass for the house's own: neither as they stand nor
/// with anything after them, as in "Guest 4821", "CPU level 5" or "Admin (Bo)".
const HOUSE: [&str; 12] = [
    "hexhall",
    "hex hall",
    "admin",
    "administrator",
    "moderator",
    "operator",
    "system",
    "server",
    "support",
    "staff",
    "cpu",
    "guest",
];

/// Whether a name would pass for one of the house's, or for one that the server gives.
pub fn is_reserved(name: &str) -> bool {
    static LOOKS: LazyLock<Vec<String>> =
        LazyLock::new(|| HOUSE.map(|house| NameKeys::of(house).look).into());
    let name: String = name.nfkc().collect();
    let bare = name.trim_start_matches(|c: char| !c.is_alphabetic());
    // The name may begin with its first letter, or with a sign that looks like one: `0perator`.
    [&*name, bare].into_iter().any(|text| {
        // A word ends before whatever is no letter. Some such look like one, as in `adm1n`.
        let ends = text.char_indices().filter(|(_, c)| !c.is_alphabetic()).map(|(at, _)| at);
        ends.chain([text.len()]).any(|end| LOOKS.contains(&NameKeys::of(&text[..end]).look))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn alike(one: &str, other: &str) -> bool {
        let (one, other) = (NameKeys::of(one), NameKeys::of(other));
        one.folded == other.folded || one.look == other.look
    }

    #[test]
    fn names_that_differ_in_case_alone_are_one() {
        for (one, other) in [
            ("Anna", "aNNA"),
            ("Straße", "STRASSE"),
            ("straße", "STRAẞE"),
            ("ΝΊΚΟΣ", "Νίκος"),
            ("Иван", "иВАН"),
            ("Ａｄａ", "ada"),
            ("é", "E\u{301}"),
        ] {
            assert!(alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn names_that_look_alike_are_one() {
        for (one, other) in [
            ("Iris", "lris"),
            ("Iris", "1ris"),
            ("iris", "lRlS"),
            ("Oona", "0ona"),
            ("Anna", "Аnna"),
            ("paypal", "раураl"),
            ("modern", "rnodern"),
            ("Ada L", "Ada  L"),
            ("Ada L", "Ada\u{a0}L"),
        ] {
            assert!(alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn names_that_people_tell_apart_stay_apart() {
        for (one, other) in [
            ("Anna", "Anne"),
            ("Ana", "Anna"),
            ("Ada L", "AdaL"),
            ("ν", "N"),
            ("Guest 1234", "Guest 1235"),
            ("Bert", "Bért"),
            ("李", "王"),
        ] {
            assert!(!alike(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn what_would_pass_for_the_house_is_reserved_and_what_merely_begins_so_is_not() {
        for house in [
            "hexhall",
            "HexHall",
            "Admin",
            "ADMlN",
            "аdmin",
            "CPU",
            "CPU level 5",
            "cpu  Level 11",
            "CPU IeveI 5",
            "Guest",
            "Guest 4821",
            "guest x",
            "Gue\u{455}t 1",
            "admin 2",
            "Аdmin 2",
            "ADM1N2",
            "0perator_7",
            "Server (EU)",
            "hex  hall #1",
            "Staff: Bo",
            "* Moderator *",
            "\u{ff33}upport!",
        ] {
            assert!(is_reserved(house), "{house}");
        }
        for free in [
            "Guesty",
            "Guestav",
            "Cpunk",
            "Administer",
            "hexhallo",
            "Serverine",
            "CPUs",
            "Badmin",
            "Bo, no admin",
        ] {
            assert!(!is_reserved(free), "{free}");
        }
    }

    proptest! {
        #[test]
        fn keys_are_found_again_from_small_letters_and_of_ascii_from_any(
            name in "[\\p{L}\\p{N} .'-]{1,24}",
        ) {
            let keys = NameKeys::of(&name);
            prop_assert_eq!(&NameKeys::of(&name.to_lowercase()).folded, &keys.folded);
            let ascii: String = name.chars().filter(char::is_ascii).collect();
            prop_assert_eq!(NameKeys::of(&ascii), NameKeys::of(&ascii.to_lowercase()));
            prop_assert_eq!(NameKeys::of(&ascii), NameKeys::of(&ascii.to_uppercase()));
        }
    }
}
