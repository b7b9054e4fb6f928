import type pg from 'pg'
import { categories } from '#contract/marketplace/entries.ts'
import { assetTypes } from '#contract/studio/assets.ts'
import { foldedName } from '#platform/fold.ts'
import { newId } from '#platform/ids.ts'
import {
  filterMarksSql,
  segmentLength,
  termsOf,
  termsSqlOf,
} from '#server/marketplace/entries/catalogue/catalogue.terms.ts'
import { popularity, ratingRank } from '#server/marketplace/ranking.ts'
import { itemAt } from '#tests/support/elements.ts'
import { pick as pickFrom, randomFrom } from '#tests/support/random.ts'
import { type BenchOrganization, makeOrganization } from './people.ts'
import { commonWord, nouns, purposes, verbs } from './seed.ts'

const publishers = 50
const batchSize = 4_000
/** Part of the names of three entries. */
export const rareWord = 'quokka'

type Seeded = {
  id: string
  releaseId: string
  publisher: number
  type: string
  category: string
  name: string
  description: string
  tags: string[]
  daysAgo: number
  installers: number
  installs: number
  ratings: number
  stars: number
  segment: number
}

/**
 * Fills the catalogue of a database with approved entries of many organizations, in a few large statements,
 * including everything that lists and search store. The same number creates the same catalogue, apart from
 * ids.
 */
export async function seedMarket(sql: pg.Pool, count: number): Promise<void> {
  const random = randomFrom(count)
  const homes: BenchOrganization[] = []
  for (let n = 0; n < publishers; n++) homes.push(await makeOrganization(sql, `Publisher ${n}`, 1))
  await sql.query('drop index market_listing_terms')
  for (let start = 0; start < count; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, at) =>
      invent(random, start + at, count),
    )
    await write(sql, batch, homes)
  }
  await sql.query(
    'create index market_listing_terms on market_listing using gin (terms) with (fastupdate = off) where is_listed',
  )
  await sql.query(
    `insert into market_listing_count (category, type, pricing, n)
     select category, type, pricing, count(*) from market_listing group by 1, 2, 3
     union all select '', '', '', count(*) from market_listing`,
  )
  await sql.query('vacuum analyze')
}

function invent(random: () => number, at: number, count: number): Seeded {
  const pick = <T>(list: readonly T[]): T => pickFrom(random, list)
  const rare = at % Math.ceil(count / 3) === 1 ? ` ${rareWord}` : ''
  const installs = Math.floor(random() ** 6 * 5_000)
  const ratings = Math.floor(random() ** 6 * 200)
  return {
    id: newId(),
    releaseId: newId(),
    publisher: at % publishers,
    type: pick(assetTypes),
    // as in a real catalogue, half of everything belongs to two categories
    category: random() < 0.5 ? pick(categories.slice(0, 2)) : pick(categories),
    name: `${pick(verbs)} ${pick(nouns)} ${pick(purposes)}${rare}`,
    description: Array.from({ length: 30 }, () => commonWord(random)).join(' '),
    tags: [...new Set([pick(nouns), pick(purposes)])],
    daysAgo: ((count - at) / count) * 1_000,
    installs,
    installers: Math.floor(installs * random() ** 3),
    ratings,
    stars: Math.floor(ratings * (1 + random() * 4)),
    segment: Math.floor(at / segmentLength),
  }
}

async function write(sql: pg.Pool, batch: Seeded[], homes: readonly BenchOrganization[]): Promise<void> {
  const column = <T>(value: (entry: Seeded) => T) => batch.map(value)
  const texts = batch.map(termsOf)
  await sql.query(insert, [
    column(e => e.id),
    column(e => e.releaseId),
    column(e => itemAt(homes, e.publisher).id),
    column(e => itemAt(homes, e.publisher).owner.id),
    column(e => e.type),
    column(e => e.category),
    column(e => e.name),
    column(e => foldedName(e.name)),
    column(e => e.description),
    column(e => e.tags.join(',')),
    column(e => e.daysAgo),
    column(e => e.installs),
    column(e => e.installers),
    column(e => e.ratings),
    column(e => e.stars),
    column(e => e.segment),
    texts.map(({ nameWords }) => nameWords),
    texts.map(({ tagWords }) => tagWords),
    texts.map(({ descriptionWords }) => descriptionWords),
  ])
  await sql.query(
    `insert into market_word (word) select distinct w from unnest($1::text[]) t (words), string_to_table(t.words, ' ') w
     where length(w) between 3 and 32 on conflict do nothing`,
    [texts.map(terms => Object.values(terms).join(' '))],
  )
}

const insert = `
  with input as (
    select g.*, now() - g.days * interval '1 day' as at from unnest($1::text[], $2::text[], $3::text[], $4::text[],
      $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::float8[], $12::integer[],
      $13::integer[], $14::integer[], $15::integer[], $16::integer[], $17::text[], $18::text[], $19::text[])
    g (id, release_id, publisher_id, person_id, type, category, name, folded, description, tags, days, installs,
      installers, ratings, stars, segment, t_names, t_tags, t_description)),
  releases as (
    insert into market_release (id, publisher_id, entry_id, asset_id, version_id, version, type, slug, name, description,
      body_markdown, frontmatter, asset_tags, digest, findings, status, submitted_by, submitted_at)
    select release_id, publisher_id, id, id, id, '1.0.0', type, 'slug', name, description, description, '{}', '{}', '',
      '[]', 'APPROVED', person_id, at from input)
  insert into market_listing (entry_id, publisher_id, publisher_person_id, release_id, type, name, name_folded,
    description, category, tags, pricing, version, rating_sum, rating_count, rating_rank, install_count,
    recent_installers, popularity, submitted_at, approved_at, updated_at, terms)
  select id, publisher_id, person_id, release_id, type, name, folded, description, category, string_to_array(tags, ','),
    'FREE', '1.0.0', stars, ratings, ${ratingRank('stars', 'ratings', '3')}, installs, installers,
    ${popularity('installers', 'at')}, at, at, at,
    ${termsSqlOf('t_names', 't_tags', 't_description')} || ${filterMarksSql('type', 'category', `'FREE'`, 'segment')}
  from input`
