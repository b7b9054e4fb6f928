import type { AssetType, Visibility } from '#contract/studio/assets.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { runOperation, seedCaller } from '#platform/http/seed.ts'
import { firstOf, lookUp, required } from '#platform/required.ts'
import { create as createAsset } from './assets/create.ts'
import { publish } from './assets/publish.ts'
import { create as createCollection } from './collections/create.ts'

type Sample = {
  type: AssetType
  name: string
  description: string
  bodyMarkdown: string
  frontmatter?: Record<string, unknown>
  tags: string[]
  visibility: Visibility
  /** The name of its collection. */
  collection: string
  isPublished: boolean
}

const samples: Sample[] = [
  {
    type: 'PROMPT',
    name: 'Meeting summary',
    description: 'Turns the notes of a meeting into decisions and tasks.',
    bodyMarkdown:
      'Summarise the notes below in three parts: decisions, tasks with owner and date, open questions.\n\nNotes:\n$ARGUMENTS\n',
    tags: ['writing', 'meetings'],
    visibility: 'ORGANIZATION',
    collection: 'Everyday',
    isPublished: true,
  },
  {
    type: 'SKILL',
    name: 'Release notes',
    description: 'Writes release notes from merged changes. Use when a version is about to be published.',
    bodyMarkdown:
      '# Release notes\n\n1. Group the changes: added, changed, fixed.\n2. Say what each one means for whoever upgrades.\n3. Name what breaks first.\n',
    frontmatter: { license: 'MIT', 'allowed-tools': 'Bash(git log:*)' },
    tags: ['writing', 'releases'],
    visibility: 'ORGANIZATION',
    collection: 'Engineering',
    isPublished: true,
  },
  {
    type: 'COMMAND',
    name: 'Explain change',
    description: 'Explains what a commit does and why.',
    bodyMarkdown: 'Explain the commit $1 to somebody who has not seen this part of the code.\n',
    frontmatter: { 'argument-hint': '[commit]' },
    tags: ['code'],
    visibility: 'ORGANIZATION',
    collection: 'Engineering',
    isPublished: true,
  },
  {
    type: 'AGENT',
    name: 'Support triage',
    description: 'Sorts support requests by urgency and finds who should answer.',
    bodyMarkdown:
      'You sort support requests. Ask for what is missing, never guess, and answer with one line each.\n',
    frontmatter: { model: 'sonnet' },
    tags: ['support'],
    visibility: 'PRIVATE',
    collection: 'Everyday',
    isPublished: false,
  },
]

type Organization = { id: string; people: readonly { id: string }[] }

/** Creates and publishes an asset of the demo. Returns its id. */
export async function publishSample(
  tx: Tx,
  caller: Caller,
  body: { type: AssetType; name: string; description: string; bodyMarkdown: string; tags: string[] },
): Promise<string> {
  const { id } = await runOperation(createAsset, tx, caller, { body })
  await runOperation(publish, tx, caller, { params: { id } })
  return id
}

/** Seeds a small catalogue for first-time users, through the operations themselves. */
export async function seedStudio(tx: Tx, { id, people }: Organization): Promise<void> {
  const authors = people.map(person => seedCaller(id, person.id))
  const collections = new Map<string, string>()
  for (const name of new Set(samples.map(sample => sample.collection))) {
    const { id } = await runOperation(createCollection, tx, firstOf(authors), { body: { name } })
    collections.set(name, id)
  }
  for (const [index, { collection, isPublished, ...body }] of samples.entries()) {
    const author = required(authors[index % authors.length], 'the author of a sample')
    const collectionIds = [lookUp(collections, collection)]
    const { id } = await runOperation(createAsset, tx, author, { body: { ...body, collectionIds } })
    if (isPublished) await runOperation(publish, tx, author, { params: { id } })
  }
}
