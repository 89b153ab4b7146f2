//! The cache of formats under many threads: one compilation per key at a time, bounds are kept, nothing is lost.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use ogc_kit::Random;
use ogc_runtime::cache::{CacheError, CacheKey, CacheLimits, Cancel, Client, CompileStop, FormatCache};

type Cache = FormatCache<u64, String>;

fn key(number: u64) -> CacheKey {
    CacheKey::of(&[&number.to_le_bytes()])
}

fn limits(bytes: usize) -> CacheLimits {
    CacheLimits { bytes, threads: NonZeroUsize::new(3).expect("a number"), waiting: 64, ..CacheLimits::default() }
}

#[test]
fn concurrent_requests_get_their_formats() {
    const KEYS: u64 = 20;
    let cache = Cache::new(limits(900));
    let running: Arc<Vec<AtomicUsize>> = Arc::new((0..KEYS).map(|_| AtomicUsize::new(0)).collect());
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let (cache, running) = (cache.clone(), Arc::clone(&running));
            scope.spawn(move || {
                let mut random = Random::new(thread);
                for _ in 0..600 {
                    let number = random.next() % KEYS;
                    let running = Arc::clone(&running);
                    let compile = move |_: &_| {
                        let others = running[number as usize].fetch_add(1, Ordering::SeqCst);
                        assert_eq!(others, 0, "one compilation of a key at a time");
                        std::thread::yield_now();
                        running[number as usize].fetch_sub(1, Ordering::SeqCst);
                        // Every fifth format cannot be compiled, and one is too large to be kept.
                        if number % 5 == 4 {
                            Err(format!("{number}"))
                        } else {
                            Ok((number, 60 * (number as usize + 1)))
                        }
                    };
                    let pending = cache.get_or_compile(key(number), compile).expect("few wait");
                    match pending.wait() {
                        Ok(format) => assert_eq!(*format, number),
                        Err(error) => assert_eq!((error.to_string(), number % 5), (number.to_string(), 4)),
                    }
                    assert!(cache.stats().bytes <= 900);
                }
            });
        }
    });
    let stats = cache.stats();
    assert_eq!(stats.hits + stats.joined + stats.misses, 8 * 600);
    assert!(stats.hits > 100 && stats.evicted > 100 && stats.failed > 100, "{stats:?}");
    assert_eq!((stats.cancelled, stats.refused), (0, 0));
}

#[test]
fn formats_used_longest_ago_go_first() {
    let cache = Cache::new(limits(300));
    let get = |number| *cache.get_or_compile(key(number), move |_| Ok((number, 100))).unwrap().wait().unwrap();
    for number in [1, 2, 3, 1, 4] {
        assert_eq!(get(number), number);
    }
    let before = cache.stats();
    assert_eq!((before.formats, before.bytes, before.evicted), (3, 300, 1));
    let _ = [1, 3, 4].map(get);
    assert_eq!(cache.stats().misses, before.misses, "2 was dropped, no other");
}

#[test]
fn a_compilation_that_nobody_waits_for_is_cancelled() {
    let cache = Cache::new(limits(1_000));
    let (seen, cancelled) = mpsc::channel();
    let compile = move |cancel: &ogc_runtime::cache::Cancel| {
        while !cancel.is_cancelled() {
            std::thread::yield_now();
        }
        seen.send(()).expect("the test waits");
        Err("cancelled".to_owned())
    };
    let first = cache.get_or_compile(key(1), compile).unwrap();
    let second = cache.get_or_compile(key(1), |_| unreachable!("it is under way")).unwrap();
    drop(first);
    assert!(second.wait_for(Duration::from_millis(20)).is_none(), "the second still waits");
    assert!(cancelled.try_recv().is_err());
    drop(second);
    cancelled.recv_timeout(Duration::from_secs(20)).expect("it is told");
    // The next request starts over.
    assert_eq!(*cache.get_or_compile(key(1), |_| Ok((5, 1))).unwrap().wait().unwrap(), 5);
    assert_eq!((cache.stats().cancelled, cache.stats().failed), (1, 0));
}

#[test]
fn a_panic_is_an_error_and_nothing_more() {
    let cache = Cache::new(limits(1_000));
    let panicked = cache.get_or_compile(key(1), |_| panic!("a defect")).unwrap().wait();
    assert_eq!(panicked, Err(CacheError::Panicked));
    assert_eq!(*cache.get_or_compile(key(1), |_| Ok((5, 1))).unwrap().wait().unwrap(), 5);
    assert_eq!(cache.stats().failed, 1);
}

#[test]
fn too_many_formats_are_refused_even_if_all_are_cancelled() {
    let cache = Cache::new(CacheLimits { threads: NonZeroUsize::MIN, ..limits(1_000) });
    let (go, wait) = mpsc::channel::<()>();
    let blocked = cache
        .get_or_compile(key(0), move |_| {
            let _ = wait.recv();
            Ok((0, 1))
        })
        .unwrap();
    let refused = (1..200).filter(|&number| cache.get_or_compile(key(number), move |_| Ok((number, 1))).is_err());
    assert!(refused.count() >= 130);
    go.send(()).expect("it waits");
    assert_eq!(*blocked.wait().unwrap(), 0);
}

/// Compiles until it is told to stop.
fn endless(cancel: &Cancel) -> Result<(u64, usize), String> {
    loop {
        cancel.check().map_err(|stop| stop.to_string())?;
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn cheap_formats_do_not_wait_for_expensive_ones() {
    let limits =
        CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(10), paused: 64, ..limits(1_000) };
    let cache = Cache::new(limits);
    let ready = *cache.get_or_compile(key(1_000), |_| Ok((5, 1))).unwrap().wait().unwrap();
    let dear: Vec<_> =
        (0..40).map(|number| cache.get_or_compile_for(Client(1), key(number), endless).unwrap()).collect();
    let start = Instant::now();
    for number in 100..110 {
        let cheap = cache.get_or_compile_for(Client(2), key(number), move |_| Ok((number, 1))).unwrap();
        let made = cheap.wait_for(Duration::from_secs(5)).expect("at most one dear format is compiled first");
        assert_eq!(*made.unwrap(), number);
        let known = cache.get_or_compile_for(Client(2), key(1_000), endless).unwrap().wait_for(Duration::ZERO);
        assert_eq!(*known.expect("what is there is returned at once").unwrap(), ready);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert!(dear.iter().all(|dear| dear.wait_for(Duration::ZERO).is_none()), "no dear format is refused");
}

#[test]
fn short_compilations_of_one_client_do_not_block_another() {
    let cache = Cache::new(CacheLimits { threads: NonZeroUsize::MIN, young: Duration::MAX, ..limits(1_000) });
    let ask = |client, number, go: mpsc::Receiver<()>| {
        let compile = move |_: &Cancel| {
            let _ = go.recv();
            Ok((number, 1))
        };
        cache.get_or_compile_for(Client(client), key(number), compile).unwrap()
    };
    let (ends, goes): (Vec<_>, Vec<_>) = (0..4).map(|_| mpsc::channel::<()>()).unzip();
    let mut asked = [1, 1, 2, 3].into_iter().zip(0..).zip(goes).map(|((client, number), go)| ask(client, number, go));
    let [first, second, other, third] = std::array::from_fn(|_| asked.next().unwrap());
    let mut ends = ends.into_iter();
    let first_end = ends.next().unwrap();
    drop(ends);
    let soon = Duration::from_secs(60);
    assert_eq!(*other.wait_for(soon).expect("it has a thread of its own").unwrap(), 2);
    assert_eq!(*third.wait_for(soon).expect("and then a third client").unwrap(), 3);
    assert!(first.wait_for(Duration::ZERO).is_none() && second.wait_for(Duration::ZERO).is_none());
    drop(first_end);
    assert_eq!(*second.wait_for(soon).expect("the first has ended").unwrap(), 1);
}

#[test]
fn cheap_formats_do_not_wait_for_a_compilation_that_never_polls() {
    let cache =
        Cache::new(CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(10), ..limits(1_000) });
    let (go, wait) = mpsc::channel::<()>();
    let silent = cache.get_or_compile(key(0), move |_| {
        let _ = wait.recv();
        Ok((0, 1))
    });
    let cheap = cache.get_or_compile(key(1), |_| Ok((1, 1))).unwrap();
    assert_eq!(*cheap.wait_for(Duration::from_secs(5)).expect("another thread").unwrap(), 1);
    go.send(()).expect("it waits");
    assert_eq!(*silent.unwrap().wait().unwrap(), 0);
}

#[test]
fn too_many_long_compilations_are_refused() {
    let limits =
        CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(5), paused: 2, ..limits(1_000) };
    let cache = Cache::new(limits);
    let dear: Vec<_> = (0..8).map(|number| cache.get_or_compile(key(number), endless).unwrap()).collect();
    let crowded = CacheError::Stopped(CompileStop::Crowded { given: 3, limit: 2 });
    let start = Instant::now();
    while dear.iter().filter(|dear| dear.wait_for(Duration::ZERO) == Some(Err(crowded.clone()))).count() < 4 {
        assert!(start.elapsed() < Duration::from_secs(10), "one runs, two pause, and one is young: four are refused");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(cache.stats().refused, 4);
}

#[test]
fn many_long_compilations_of_one_client_do_not_block_those_of_others() {
    let limits =
        CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(5), paused: 3, ..limits(1_000) };
    let cache = Cache::new(CacheLimits { time: Duration::from_secs(60), ..limits });
    let dear: Vec<_> =
        (0..8).map(|number| cache.get_or_compile_for(Client(1), key(number), endless).unwrap()).collect();
    let refused = || dear.iter().filter(|dear| dear.wait_for(Duration::ZERO).is_some()).count();
    let start = Instant::now();
    while refused() < 3 {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "one runs, three pause, and one is young: three are refused"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let long = move |cancel: &Cancel| {
        for _ in 0..20 {
            cancel.check().map_err(|stop| stop.to_string())?;
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok((7, 1))
    };
    let other = cache.get_or_compile_for(Client(2), key(100), long).unwrap();
    // It pauses, and continues before those of the first client once the running one has ended.
    let mut dear = dear.into_iter();
    let made = loop {
        if let Some(made) = other.wait_for(Duration::from_millis(200)) {
            break made;
        }
        assert!(dear.next().is_some(), "all of the first client have gone");
    };
    assert_eq!(*made.expect("it is not refused"), 7);
}

#[test]
fn paused_compilations_go_on() {
    let limits =
        CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(2), paused: 20, ..limits(1_000) };
    let cache = Cache::new(CacheLimits { time: Duration::from_secs(5), ..limits });
    let long = |number| {
        move |cancel: &Cancel| {
            for _ in 0..20 {
                cancel.check().map_err(|stop| stop.to_string())?;
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok((number, 1))
        }
    };
    let pending: Vec<_> = (0..12).map(|number| cache.get_or_compile(key(number), long(number)).unwrap()).collect();
    for (pending, number) in pending.iter().zip(0..) {
        assert_eq!(*pending.wait().unwrap(), number);
    }
}

#[test]
fn a_compilation_ends_when_its_time_is_over() {
    let cache = Cache::new(CacheLimits { time: Duration::from_millis(20), ..limits(1_000) });
    let late = "the compilation took 1 s; the limit is 0.02 s";
    let told = cache.get_or_compile(key(1), endless).unwrap().wait();
    assert_eq!(told, Err(CacheError::Compile(Arc::new(late.to_owned()))), "the compiler's own words");
    let stopped = cache.get_or_compile(key(1), |cancel| {
        while cancel.check().is_ok() {}
        std::panic::resume_unwind(Box::new("stopped"))
    });
    let told = stopped.unwrap().wait().unwrap_err();
    assert!(matches!(told, CacheError::Stopped(CompileStop::Late { .. })), "{told:?}");
    assert_eq!(told.to_string(), late);
    assert_eq!(cache.stats().failed, 2);
}

#[test]
fn waiters_give_up_on_a_compilation_that_never_ends() {
    let cache = Cache::new(CacheLimits { time: Duration::from_millis(20), ..limits(1_000) });
    let (go, wait) = mpsc::channel::<()>();
    let silent = cache.get_or_compile(key(0), move |_| {
        let _ = wait.recv();
        Ok((0, 1))
    });
    let told = silent.unwrap().wait().unwrap_err();
    assert!(matches!(told, CacheError::Stopped(CompileStop::Late { .. })), "{told:?}");
    go.send(()).expect("it waits");
}

#[test]
fn a_paused_compilation_that_nobody_waits_for_ends() {
    let limits =
        CacheLimits { threads: NonZeroUsize::MIN, young: Duration::from_millis(2), paused: 9, ..limits(1_000) };
    let cache = Cache::new(limits);
    let (seen, ended) = mpsc::channel();
    let dear: Vec<_> = (0..9)
        .map(|number| {
            let seen = seen.clone();
            let compile = move |cancel: &Cancel| endless(cancel).inspect_err(|_| seen.send(()).unwrap_or_default());
            cache.get_or_compile(key(number), compile).unwrap()
        })
        .collect();
    std::thread::sleep(Duration::from_millis(100));
    drop(dear);
    drop(seen);
    let begun = std::iter::from_fn(|| ended.recv_timeout(Duration::from_secs(10)).ok()).count();
    assert!(begun >= 3, "{begun}");
    assert_eq!(cache.stats().cancelled, 9);
}
