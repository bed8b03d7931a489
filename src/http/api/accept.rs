//! Which of a game's formats the `Accept` header likes best.

use axum::http::{HeaderMap, header};

use crate::record::Format;

/// What can be chosen by media type, the dearest first. HexWorld and HexWiki share `text/plain`
/// and are asked for by name.
const OFFERED: [(Format, &str, &str); 3] = [
    (Format::Json, "application", "json"),
    (Format::Sgf, "application", "x-go-sgf"),
    (Format::Svg, "image", "svg+xml"),
];

/// The format liked best; JSON where all are as welcome, or none is.
pub fn preferred(headers: &HeaderMap) -> Format {
    let sent = headers.get_all(header::ACCEPT).into_iter();
    let ranges: Vec<Range<'_>> = sent
        .filter_map(|ranges| ranges.to_str().ok())
        .flat_map(|ranges| ranges.split(','))
        .filter_map(Range::read)
        .collect();
    let mut best = (Format::Json, 0.0);
    for (format, kind, subkind) in OFFERED {
        let matching = ranges.iter().filter(|range| range.holds(kind, subkind));
        // The range that says most about a type decides, whatever stands before or after it.
        let quality = matching.max_by_key(|range| range.closeness()).map_or(0.0, |it| it.quality);
        if quality > best.1 {
            best = (format, quality);
        }
    }
    best.0
}

/// One media range, such as `image/*;q=0.5`.
struct Range<'a> {
    kind: &'a str,
    subkind: &'a str,
    quality: f32,
}

impl Range<'_> {
    fn read(text: &str) -> Option<Range<'_>> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subkind) = parts.next()?.split_once('/')?;
        let quality =
            parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |quality| {
                quality.parse().ok().filter(|quality| (0.0..=1.0).contains(quality))
            })?;
        Some(Range { kind, subkind, quality })
    }

    fn holds(&self, kind: &str, subkind: &str) -> bool {
        let is = |range: &str, it: &str| range == "*" || range.eq_ignore_ascii_case(it);
        is(self.kind, kind) && is(self.subkind, subkind)
    }

    fn closeness(&self) -> usize {
        [self.kind, self.subkind].into_iter().filter(|part| *part != "*").count()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn asked(accept: &'static str) -> Format {
        preferred(&HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]))
    }

    #[test]
    fn the_format_liked_best_is_chosen() {
        assert_eq!(asked("application/x-go-sgf"), Format::Sgf);
        assert_eq!(asked("Image/SVG+XML, application/json;q=0.9"), Format::Svg);
        assert_eq!(asked("application/json;q=0.1, image/*;q=0.2"), Format::Svg);
        assert_eq!(asked("*/*, application/json;q=0.5"), Format::Sgf, "the closest range decides");
    }

    #[test]
    fn json_is_given_where_nothing_is_liked_better() {
        assert_eq!(preferred(&HeaderMap::new()), Format::Json);
        assert_eq!(asked("text/html,application/xhtml+xml,image/webp,*/*;q=0.8"), Format::Json);
        assert_eq!(asked("text/html"), Format::Json);
        assert_eq!(asked("image/svg+xml;q=2, ;;, nonsense"), Format::Json);
        assert_eq!(asked("image/svg+xml;q=0"), Format::Json);
    }
}
