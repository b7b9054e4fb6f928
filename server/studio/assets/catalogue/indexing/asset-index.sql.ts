import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { indexedText } from '#platform/search-words.ts'
import type { AssetBucketFields } from '../../asset.rules.ts'
import { additions } from '../counters/asset-counters.sql.ts'
import { marksOf, partitionOf, segmentLength, wordParts } from './asset-index.terms.ts'

const stems = (text: string) => `to_tsvector('spanish', ${text})`
const wordsAndStems = (text: string) => `to_tsvector('simple', ${text}) || ${stems(text)}`
const keyOf = (partition: string) => `right($organization, 8) || ${partition} || '.'`
/** Marks for the grantees of the asset, including those whose share expired: access is checked on the row. */
const shareMarks = (asset: string) => `array(select '@g' || right(g.grantee_id, 8) from asset_share g
  where g.organization_id = $organization and g.asset_id = ${asset})`

const putTerms = sql<
  never,
  {
    assetId: string
    partition: string
    marks: string[]
    names: string
    tags: string
    description: string
    body: string
  }
>(`
  insert into asset_search (organization_id, asset_id, segment, partition_key, head, terms)
  select $organization, $assetId, n.segment, $partition,
    setweight(t.names, 'A') || setweight(t.tags, 'B') || setweight(t.description, 'C'),
    array_to_tsvector(array(
      select ${keyOf('$partition')} || l.lexeme
      from unnest($marks::text[] || ('@s' || n.segment) || ${shareMarks('$assetId')}
        || tsvector_to_array(t.names || t.tags || ${stems('$description')} || t.body)) l (lexeme)))
  from (
    select coalesce(
      (select s.segment from asset_search s where s.organization_id = $organization and s.asset_id = $assetId),
      (select sum(n) from asset_bucket_count y, unnest(y.counts) n
        where y.organization_id = $organization and y.author_id = ''
        and y.visibility = '${additions}') / ${segmentLength}, 0)::integer as segment) n,
    (select ${wordsAndStems('$names')} as names, ${wordsAndStems('$tags')} as tags,
      ${wordsAndStems('$description')} as description, ${stems('$body')} as body) t
  on conflict (organization_id, asset_id) do update
    set partition_key = excluded.partition_key, head = excluded.head, terms = excluded.terms
  returning segment`)

/** The texts by which search finds an asset. */
export type Searched = {
  name: string
  slug: string
  tags: readonly string[]
  description: string
  bodyMarkdown: string
}

/** Adds an asset to the search index, or replaces its texts there. */
export async function putIntoSearch(
  tx: Tx,
  id: string,
  bucketFields: AssetBucketFields,
  text: Searched,
): Promise<void> {
  const names = indexedText(`${text.name} ${text.slug}`, 400)
  const tags = indexedText(text.tags.join(' '), 3_000)
  const description = indexedText(text.description, 4_000)
  const body = indexedText(text.bodyMarkdown, 20_000)
  await Promise.all([
    tx.run(putTerms, {
      assetId: id,
      partition: partitionOf(bucketFields),
      marks: marksOf(bucketFields),
      names,
      tags,
      description,
      body,
    }),
    learnWords(tx, [text.name, ...text.tags, text.description]),
  ])
}

const changePartition = sql<never, { assetId: string; partition: string; marks: string[] }>(`
  update asset_search s set partition_key = $partition, terms = array_to_tsvector(array(
    select ${keyOf('$partition')} || l.lexeme from (
      select substr(w.lexeme, length(o.key) + 1) as lexeme
      from (select ${keyOf('s.partition_key')} as key) o, unnest(tsvector_to_array(s.terms)) w (lexeme)
      where not starts_with(w.lexeme, o.key || '@')
      union all select unnest($marks::text[] || ('@s' || s.segment) || ${shareMarks('$assetId')})) l))
  where s.organization_id = $organization and s.asset_id = $assetId`)

/** Moves an asset to the partition and marks of its new bucket, with the same words. */
export async function moveInSearch(tx: Tx, assetId: string, bucketFields: AssetBucketFields): Promise<void> {
  await tx.run(changePartition, {
    assetId,
    partition: partitionOf(bucketFields),
    marks: marksOf(bucketFields),
  })
}

const deleteRow = sql<never, { assetId: string }>(
  'delete from asset_search s where s.organization_id = $organization and s.asset_id = $assetId',
)
export async function removeFromSearch(tx: Tx, assetId: string): Promise<void> {
  await tx.run(deleteRow, { assetId })
}

const insertWords = sql<never, { words: string[]; owners: string[]; parts: string[]; counts: number[] }>(`
  with fresh as (
    insert into asset_word (organization_id, word) select $organization, w from unnest($words::text[]) w order by 2
    on conflict do nothing returning word)
  insert into asset_word_part (organization_id, part, word, parts)
  select $organization, p.part, p.word, p.parts
  from unnest($owners::text[], $parts::text[], $counts::smallint[]) p (word, part, parts)
  join fresh on fresh.word = p.word
  on conflict do nothing returning parts`)

async function learnWords(tx: Tx, texts: readonly string[]): Promise<void> {
  const words = wordParts(texts)
  if (words.size === 0) return
  const rows = [...words].flatMap(([word, parts]) => parts.map(part => ({ word, part, count: parts.length })))
  await tx.run(insertWords, {
    words: [...words.keys()],
    owners: rows.map(row => row.word),
    parts: rows.map(row => row.part),
    counts: rows.map(row => row.count),
  })
}
