//! Tests of artifacts whose rows are in a pool: they have the same masks as artifacts with their own rows, and pools
//! that do not fit are rejected.

use super::super::write_pooled;
use super::*;
use crate::mask::{RowPool, RowPoolBuilder};

fn pack(automaton: &Arc<Automaton>, store: &Arc<MaskStore>) -> MaskPack {
    MaskPack::build(automaton, store, &PackLimits::default(), |_, _| {}).expect("a pack")
}

fn pool(packs: &[MaskPack], vocabulary: &Vocabulary) -> Vec<u8> {
    let mut builder = RowPoolBuilder::new(vocabulary);
    packs.iter().for_each(|pack| builder.add(pack).expect("rows of this vocabulary"));
    builder.finish()
}

fn opened(bytes: &[u8]) -> Arc<RowPool> {
    Arc::new(RowPool::open(bytes.to_vec()).expect("a pool"))
}

/// Compares the masks of two artifacts along a random text.
fn assert_same_masks(own: &Artifact, pooled: &Artifact, store: &Arc<MaskStore>, random: &mut Random) {
    let [mut own, mut pooled] =
        [own, pooled].map(|artifact| artifact.matcher(Arc::clone(store)).expect("this vocabulary"));
    for _ in 0..30 {
        let (Ok(one), Ok(other)) = (own.mask(), pooled.mask()) else { return };
        assert_eq!(one.tokens(), other.tokens());
        assert_eq!(one.allows_end(), other.allows_end());
        let tokens = one.tokens();
        let Some(&token) = tokens.get(random.below(tokens.len().max(1))) else { return };
        own.accept_token(token).expect("the mask allows it");
        pooled.accept_token(token).expect("the mask allows it");
    }
}

#[test]
fn masks_from_a_pool_equal_masks_from_own_rows() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(3);
    let formats = formats::all();
    let packs: Vec<MaskPack> = formats.iter().map(|(_, automaton)| pack(automaton, &store)).collect();
    let bytes = pool(&packs, store.vocabulary());
    let pool = opened(&bytes);
    for ((name, automaton), pack) in formats.iter().zip(&packs) {
        let own = write(&format(automaton), Some(pack));
        let small = write_pooled(&format(automaton), pack);
        let artifact = Artifact::load(own.clone()).expect(name);
        let pooled = Artifact::load_with(small.clone(), &pool).expect(name);
        let masks = pooled.masks().expect("masks");
        assert_eq!(masks.report().rows, pack.report().rows, "{name}");
        assert_eq!(masks.widths(), pack.widths(), "{name}");
        assert!(write_pooled(pooled.format(), masks) == small, "{name}: the same bytes again");
        let unpooled = Artifact::load(write(pooled.format(), Some(masks))).expect(name);
        for _ in 0..10 {
            assert_same_masks(&artifact, &pooled, &store, &mut random);
            assert_same_masks(&artifact, &unpooled, &store, &mut random);
        }
        formats::assert_mask_is_exact(&mut pooled.matcher(Arc::clone(&store)).expect("a matcher"));
        let with_own_rows = Artifact::load_with(own, &pool).expect(name);
        assert_same_masks(&artifact, &with_own_rows, &store, &mut random);
    }
}

#[test]
fn artifacts_load_with_a_pool_that_grew() {
    let store = MaskStore::new(formats::vocabulary());
    let formats = formats::all();
    let packs: Vec<MaskPack> = formats.iter().map(|(_, automaton)| pack(automaton, &store)).collect();
    let (first, rest) = packs.split_at(packs.len() / 2);
    let old = opened(&pool(first, store.vocabulary()));
    let mut builder = RowPoolBuilder::of(&old).expect("a whole pool");
    rest.iter().for_each(|pack| builder.add(pack).expect("rows of this vocabulary"));
    let new = opened(&builder.finish());
    let all = opened(&pool(&packs, store.vocabulary()));
    assert!(old.rows() < new.rows() && new.rows() == all.rows());
    for ((name, automaton), pack) in formats.iter().zip(&packs) {
        let small = write_pooled(&format(automaton), pack);
        assert!(Artifact::load_with(small.clone(), &new).is_ok(), "{name}");
        // Pools are interchangeable: a pool that was made in another order has the same rows.
        assert!(Artifact::load_with(small, &all).is_ok(), "{name}");
    }
    let again = RowPoolBuilder::of(&new).expect("a whole pool");
    assert!(!again.has_grown());
    assert_eq!(opened(&again.finish()).rows(), new.rows());
}

#[test]
fn missing_and_foreign_pools_are_refused_by_name() {
    let store = MaskStore::new(formats::vocabulary());
    let formats = formats::all();
    let pack = pack(&formats[0].1, &store);
    let small = write_pooled(&format(&formats[0].1), &pack);
    let file = RowPool::file_name(store.vocabulary().fingerprint());
    assert_eq!(Artifact::load(small.clone()).err(), Some(LoadError::NoPool { file }));
    let empty = opened(&RowPoolBuilder::new(store.vocabulary()).finish());
    let refused = Artifact::load_with(small.clone(), &empty).err();
    assert_eq!(refused, Some(LoadError::MissingRows { given: 0, limit: pack.report().rows }));
    let other = Vocabulary::from_tokens(&[Some("\"")], &[]).expect("a vocabulary");
    let other = opened(&RowPoolBuilder::new(&other).finish());
    let refused = Artifact::load_with(small.clone(), &other).err();
    assert!(matches!(refused, Some(LoadError::OtherVocabulary { .. })));
    assert!(RowPool::open(small).is_err(), "an artifact is no pool");
    assert!(Artifact::load(RowPoolBuilder::new(store.vocabulary()).finish()).is_err(), "a pool is no artifact");
}

#[test]
fn truncated_pools_and_damaged_rows_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(17);
    let packs: Vec<MaskPack> = formats::all().iter().map(|(_, automaton)| pack(automaton, &store)).collect();
    let bytes = pool(&packs, store.vocabulary());
    let smalls: Vec<Vec<u8>> = formats::all()
        .iter()
        .zip(&packs)
        .map(|((_, automaton), pack)| write_pooled(&format(automaton), pack))
        .collect();
    for _ in 0..300 {
        let mut altered = bytes.clone();
        altered.truncate(random.below(bytes.len()));
        assert!(RowPool::open(altered).is_err());
        // Rows are checked against their names at first use, so no mask comes from an altered row.
        let mut altered = bytes.clone();
        altered[random.below(bytes.len())] ^= 1 << random.below(8);
        let Ok(pool) = RowPool::open(altered).map(Arc::new) else { continue };
        for (small, pack) in smalls.iter().zip(&packs) {
            let Ok(artifact) = Artifact::load_with(small.clone(), &pool) else { continue };
            assert_eq!(artifact.masks().expect("masks").widths(), pack.widths());
        }
        drop(RowPoolBuilder::of(&pool));
    }
}

/// Altered bytes with fixed checksums give an error or a format that works; never a panic, never an endless loop.
#[test]
fn flips_of_pools_and_their_artifacts_never_panic() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(19);
    let (mut refused, mut loaded) = (0, 0);
    let formats = formats::all();
    let packs: Vec<MaskPack> = formats.iter().map(|(_, automaton)| pack(automaton, &store)).collect();
    let bytes = pool(&packs, store.vocabulary());
    for ((_, automaton), pack) in formats.iter().zip(&packs) {
        let small = write_pooled(&format(automaton), pack);
        for round in 0..200 {
            let mut altered = [small.clone(), bytes.clone()];
            let one = &mut altered[round % 2];
            for _ in 0..1 + random.below(3) {
                let at = 40 + random.below(one.len() - 40);
                one[at] ^= 1 << random.below(8);
            }
            repair(one);
            let [small, bytes] = altered;
            let artifact = RowPool::open(bytes).and_then(|pool| Artifact::load_with(small, &Arc::new(pool)));
            match artifact {
                Ok(artifact) => {
                    loaded += 1;
                    drive(&artifact, &store, &mut random);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 300 && loaded > 300, "{refused} refused, {loaded} loaded");
}
