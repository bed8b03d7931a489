//! What a seek asks for, if it can be asked for. Pure.

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::seek::Seek;

use crate::table::options::Options;

use super::pairing::pools;
use super::told;

/// Whether a seek says in one way at most what is to be played: by options, by a pool, or by another
/// seek that it answers.
///
/// # Errors
/// It says so in two, of which one has to go.
pub fn check_ways(asked: &Seek, answers: bool) -> Result<(), ErrorBody> {
    let has_options = asked.options != OptionsRequest::default();
    let ways = [("answer", answers), ("pool", asked.pool.is_some()), ("options", has_options)];
    let mut ways = ways.into_iter().filter_map(|(way, is_there)| is_there.then_some(way));
    match (ways.next(), ways.next()) {
        (Some(one), Some(two)) => Err(told::contradiction(one, two)),
        (Some("answer"), None) if asked.rated => Err(told::contradiction("answer", "rated")),
        _ => Ok(()),
    }
}

/// What a seek that answers no other is to be played by, and the pool that this is of.
///
/// # Errors
/// There is no such pool or game, or it is none for two people, or none that can be rated.
pub fn resolve(asked: Seek) -> Result<(Options, Option<&'static str>), ErrorBody> {
    let Seek { options, pool, rated, .. } = asked;
    let pool = pool.map(|name| {
        pools::by_name(&name).ok_or_else(|| {
            let names = pools::all().map(|pool| pool.name).join(", ");
            bad_options(format!("there is no such pool; there are {names}"))
        })
    });
    let pool = pool.transpose()?;
    if let Some(pool) = pool.as_ref().filter(|pool| rated && !pool.may_be_rated) {
        return Err(bad_options(format!(
            "games of the pool `{}` are never rated: leave `rated` out, or choose another pool",
            pool.name
        )));
    }
    let mut asked = pool.as_ref().map_or(options, |pool| pool.options.clone());
    if rated {
        asked.rated = Some(true);
    }
    let options = Options::resolve(&asked).map_err(|error| bad_options(error.to_string()))?;
    if options.pass_and_play() {
        return Err(bad_options(
            "a seek is for two people on two devices: leave `pass_and_play` out".to_owned(),
        ));
    }
    Ok((options, pool.map(|pool| pool.name)))
}

fn bad_options(message: String) -> ErrorBody {
    ErrorBody::new(Code::BadOptions, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_size(size: u64) -> Seek {
        let options = OptionsRequest { size: Some(size), ..OptionsRequest::default() };
        Seek { options, ..Seek::default() }
    }

    fn in_pool(name: &str) -> Seek {
        Seek { pool: Some(name.to_owned()), ..Seek::default() }
    }

    #[test]
    fn what_is_to_be_played_is_said_in_one_way() {
        for (asked, answers) in
            [(Seek::default(), false), (Seek::default(), true), (of_size(13), false)]
        {
            assert_eq!(check_ways(&asked, answers), Ok(()), "{asked:?}");
        }
        let both = Seek { options: of_size(13).options, ..in_pool("hex-11") };
        let rated = Seek { rated: true, ..Seek::default() };
        for (asked, answers, named) in [
            (both, false, "`pool` says"),
            (of_size(13), true, "leave `options` out"),
            (rated, true, "leave `rated` out"),
        ] {
            let refused = check_ways(&asked, answers).unwrap_err();
            assert_eq!(refused.code, Code::BadRequest);
            assert!(refused.message.contains(named), "{}", refused.message);
        }
    }

    #[test]
    fn a_pool_or_options_say_what_is_played_and_what_cannot_be_is_refused() {
        let (options, pool) = resolve(in_pool("hex-11")).unwrap();
        assert_eq!((pool, options.is_rated()), (Some("hex-11"), false));
        let (options, _) = resolve(Seek { rated: true, ..in_pool("hex-11") }).unwrap();
        assert!(options.is_rated());
        let unrated = pools::all().into_iter().find(|pool| !pool.may_be_rated).unwrap();
        let alone = OptionsRequest { pass_and_play: Some(true), ..OptionsRequest::default() };
        for (asked, named) in [
            (in_pool("chess"), "there are party-11"),
            (Seek { rated: true, ..in_pool(unrated.name) }, "never rated"),
            (Seek { options: alone, ..Seek::default() }, "two devices"),
            (of_size(2), ""),
        ] {
            let refused = resolve(asked).unwrap_err();
            assert_eq!(refused.code, Code::BadOptions);
            assert!(refused.message.contains(named), "{}", refused.message);
        }
    }
}
