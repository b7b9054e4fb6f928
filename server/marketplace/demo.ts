import type { Category } from '#contract/marketplace/entries.ts'
import type { Tx } from '#platform/data/db.ts'
import { seedCaller } from '#platform/http/seed.ts'
import { firstOf, required } from '#platform/required.ts'
import { publishSample } from '#server/studio/index.ts'
import { listRelease } from './entries/catalogue/catalogue.ts'
import { lockEntryOfAsset } from './entries/entry.access.ts'
import { sourceFor } from './entries/source.ts'
import { freezeRelease } from './entries/submit.ts'
import { decideApproved, releaseToList } from './review-queue/decision.sql.ts'

type Sample = Parameters<typeof publishSample>[2] & { category: Category; isApproved: boolean }

// the submissions of each demo organization; those that are not approved wait in the review queue
const samples: Sample[][] = [
  [
    {
      type: 'COMMAND',
      name: 'Plan a week',
      description: 'Turns a list of tasks into a plan for five days.',
      bodyMarkdown:
        'Plan the week from the tasks below. Keep each day under six hours and say what does not fit.\n\n$ARGUMENTS\n',
      tags: ['planning'],
      category: 'PRODUCTIVITY',
      isApproved: false,
    },
  ],
  [
    {
      type: 'SKILL',
      name: 'Contract review',
      description: 'Reads a contract before it is signed. Use when somebody is about to sign one.',
      bodyMarkdown:
        '# Contract review\n\n1. Read it whole before you answer.\n2. Name what binds us, and until when.\n3. Say what is missing.\n',
      tags: ['legal', 'contracts'],
      category: 'DOCUMENTATION',
      isApproved: true,
    },
    {
      type: 'PROMPT',
      name: 'Polite reminder',
      description: 'Asks for a late payment without losing the customer.',
      bodyMarkdown:
        'Write a short, friendly reminder of the invoice below. Offer help, name a date.\n\n$ARGUMENTS\n',
      tags: ['invoices', 'writing'],
      category: 'FINANCE',
      isApproved: true,
    },
  ],
]

type Organization = { id: string; people: readonly { id: string }[] }

/**
 * Seeds the marketplace. `index` is the position of the organization in the demo, `operatorId` the operator who
 * approved.
 */
export async function seedMarketplace(
  tx: Tx,
  { id, people }: Organization,
  index: number,
  operatorId: string,
): Promise<void> {
  const publisher = seedCaller(id, firstOf(people).id)
  for (const { category, isApproved, ...asset } of samples[index] ?? []) {
    const assetId = await publishSample(tx, publisher, asset)
    const source = await sourceFor(tx, publisher, assetId)
    const body = { assetId, category, tags: asset.tags, acceptPolicy: true } as const
    await freezeRelease(tx, publisher, { body, source, findings: [] }, {})
    if (!isApproved) continue
    const entry = required(await lockEntryOfAsset(tx, assetId), 'the entry of a seeded asset')
    await decideApproved(tx, { releaseId: entry.last_release_id, replacedId: null }, operatorId, null)
    await listRelease(tx, entry, await releaseToList(tx, entry.last_release_id))
  }
}
