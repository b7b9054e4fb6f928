import { type Entry, readEntry, submitEntry } from '#contract/marketplace/entries.ts'
import { approveSubmission, readSubmission } from '#contract/marketplace/review-queue.ts'
import type { Input } from '#contract/operation.ts'
import type { createAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { makeAsset } from '../studio/assets.ts'
import { addFiles } from '../studio/files.ts'
import type { Person } from '../test-server.ts'

type Submission = Partial<Input<typeof submitEntry>['body']> & {
  /** The asset to create; `assetId` uses a published one instead. */
  asset?: Partial<Input<typeof createAsset>['body']>
  files?: [path: string, bytes: string | Uint8Array][]
}

/** A PENDING entry of a person whose organization has the marketplace. Absent options are invented. */
export async function makeSubmission(author: Person, options: Submission = {}): Promise<Entry> {
  const { asset, files, assetId, ...body } = options
  const id = assetId ?? (await makePublishedAsset(author, asset, files))
  return author.call(submitEntry, {
    body: { assetId: id, category: 'PRODUCTIVITY', acceptPolicy: true, ...body },
  })
}

/** A published asset of a person. Returns its id. */
export async function makePublishedAsset(
  author: Person,
  asset: Submission['asset'] = {},
  files: Submission['files'] = [],
): Promise<string> {
  const { id } = await makeAsset(author, { description: 'Does something', bodyMarkdown: 'Do it.', ...asset })
  if (files.length > 0) await addFiles(author, id, files)
  await author.call(publishAsset, { params: { id } })
  return id
}

/** An entry that an operator approved. */
export async function makeApprovedEntry(
  operator: Person,
  author: Person,
  options: Submission = {},
): Promise<Entry> {
  return approveEntry(operator, author, await makeSubmission(author, options))
}

/** A waiting entry of a person, approved by an operator. */
export async function approveEntry(operator: Person, author: Person, { id }: { id: string }): Promise<Entry> {
  const params = { entryId: id }
  const { releaseId } = await operator.call(readSubmission, { params })
  await operator.call(approveSubmission, { params, body: { releaseId } })
  return author.call(readEntry, { params: { id } })
}
