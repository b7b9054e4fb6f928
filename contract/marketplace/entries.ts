import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import {
  FreeObject,
  Id,
  Name,
  Nullable,
  OneOf,
  pageQuery,
  Reason,
  SearchPage,
  Text,
  Time,
} from '../shapes.ts'
import { assetTypes } from '../studio/assets.ts'
import { Type } from '../type.ts'

export const categories = [
  'PRODUCTIVITY',
  'SALES_CRM',
  'DEVELOPMENT',
  'FINANCE',
  'MARKETING',
  'CUSTOMER_SUPPORT',
  'ANALYTICS',
  'AUTOMATION',
  'DOCUMENTATION',
  'COMMUNICATION',
  'OTHER',
] as const
export const EntryCategory = OneOf(categories)
export const pricings = ['FREE', 'PREMIUM'] as const
export const EntryPricing = OneOf(pricings)
export const entryStatuses = ['PENDING', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED'] as const
export const EntryStatus = OneOf(entryStatuses)
/** Clients may rely on the first five orders; RELEVANCE is for searches. */
export const entrySorts = [
  'RECENT',
  'POPULAR',
  'TOP_RATED',
  'FEATURED',
  'MOST_DOWNLOADED',
  'RELEVANCE',
] as const
/** The publisher name of an organization that did not choose one. */
export const anonymousPublisher = 'Otra empresa'
export type Category = (typeof categories)[number]
export type EntryStatus = (typeof entryStatuses)[number]
export type EntrySort = (typeof entrySorts)[number]

const EntryTags = Type.Array(Type.String({ minLength: 1, maxLength: limits.entryTag, pattern: '\\S' }), {
  maxItems: limits.entryTags,
})

/** A finding of the automatic checks, with file and line. */
export const ReleaseFinding = Type.Object({
  severity: OneOf(['block', 'warn', 'note']),
  code: Type.String(),
  path: Nullable(Type.String()),
  line: Nullable(Type.Integer()),
  message: Type.String(),
})
export type ReleaseFinding = Static<typeof ReleaseFinding>

const item = {
  id: Id,
  name: Type.String(),
  description: Type.String(),
  type: OneOf(assetTypes),
  category: OneOf(categories),
  tags: Type.Array(Type.String()),
  pricing: OneOf(pricings),
  status: OneOf(entryStatuses),
  version: Type.String({ description: 'The version of the release that is shown' }),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  featured: Type.Boolean(),
  featuredUntil: Nullable(Time),
  ratingAverage: Nullable(Type.Number()),
  ratingCount: Type.Integer(),
  installCount: Type.Integer({ description: 'People who installed it, each counted once' }),
  publisher: Type.Object({ displayName: Type.String(), verified: Type.Boolean() }),
  isOwn: Type.Boolean(),
  installed: Type.Union([
    Type.Object({ installId: Id, installedVersion: Type.String(), updateAvailable: Type.Boolean() }),
    Type.Null(),
  ]),
  submittedAt: Time,
  approvedAt: Nullable(Time),
  updatedAt: Time,
}

/** An entry in a list. It does not reveal the person or the organization behind it. */
export const EntryItem = Type.Object(item)

/**
 * An entry with the content of its release. The last fields are present only for its submitter and the administrators
 * of the organization that published it.
 */
export const Entry = Type.Object({
  ...item,
  bodyMarkdown: Type.String(),
  frontmatter: FreeObject,
  files: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer(), contentType: Type.String() })),
  releaseNotes: Nullable(Type.String()),
  digest: Type.String({ description: 'SHA-256 of the content and files of the release' }),
  assetId: Type.Optional(Id),
  rejectionReason: Type.Optional(Nullable(Type.String())),
  pendingRelease: Type.Optional(
    Type.Union([
      Type.Object({ version: Type.String(), status: OneOf(entryStatuses), submittedAt: Time }),
      Type.Null(),
    ]),
  ),
  findings: Type.Optional(Type.Array(ReleaseFinding)),
})
export type EntryItem = Static<typeof EntryItem>
export type Entry = Static<typeof Entry>

const marketplace = { area: 'studio', module: 'studio', feature: 'marketplace' } as const
const view = { session: { permission: 'STUDIO_MARKETPLACE_VIEW' } } as const
const submit = { session: { permission: 'STUDIO_MARKETPLACE_SUBMIT' } } as const
const one = { id: Id }
const day = { windowSeconds: 86_400, counts: 'successes' } as const

/** Keeps ENT-1 to ENT-8 and ENT-10 to ENT-13. */
export const submitEntry = operation('POST /marketplace/entries', {
  ...marketplace,
  summary: 'Submit an asset to the marketplace',
  description:
    'Copies the published version of the asset, with its attachments, into a release for review; later changes of the ' +
    'asset do not change the release. The entry becomes PENDING. A REJECTED or ARCHIVED entry can be submitted again. ' +
    'For an APPROVED entry a newer version can be submitted; the approved release stays listed meanwhile.',
  auth: submit,
  body: {
    assetId: Id,
    category: OneOf(categories),
    tags: Type.Optional(EntryTags),
    pricing: Type.Optional(OneOf(pricings, { default: 'FREE' })),
    acceptPolicy: Type.Literal(true),
  },
  reply: Entry,
  status: 201,
  errors: [
    'ASSET_NOT_FOUND',
    'ASSET_NOT_OWN',
    'ASSET_NOT_PUBLISHED',
    'PRICING_NOT_SUPPORTED',
    'ENTRY_ALREADY_SUBMITTED',
    'RELEASE_REFUSED',
  ],
  limit: { bucket: 'marketplace-submissions', times: limits.submissionsPerDay, ...day },
})

/** Lets authors see the findings before they submit. */
export const checkEntry = operation('POST /marketplace/entries/check', {
  ...marketplace,
  summary: 'Run the automatic checks on an asset without submitting it',
  auth: submit,
  body: { assetId: Id },
  reply: Type.Object({
    isSubmittable: Type.Boolean(),
    version: Type.String(),
    findings: Type.Array(ReleaseFinding),
  }),
  errors: ['ASSET_NOT_FOUND', 'ASSET_NOT_OWN', 'ASSET_NOT_PUBLISHED'],
  limit: { bucket: 'marketplace-checks', times: limits.checksPerHour, windowSeconds: 3_600 },
})

/** Keeps ENT-29 to ENT-33. */
export const listEntries = operation('GET /marketplace/entries', {
  ...marketplace,
  summary: 'List the marketplace catalogue',
  description:
    'Lists approved entries. `mine=true` lists the submissions of the caller in every status; `organization=true` ' +
    'lists the submissions of all members, for administrators. `search` covers name, description and tags and allows ' +
    '`sort=RELEVANCE` (without a search, RELEVANCE means POPULAR). A search lists and counts up to ' +
    `${limits.searchTotal} entries; when there are more, \`totalIsBound\` is true.`,
  auth: view,
  query: {
    category: Type.Optional(OneOf(categories)),
    pricing: Type.Optional(OneOf(pricings)),
    type: Type.Optional(OneOf(assetTypes)),
    sort: Type.Optional(OneOf(entrySorts, { description: 'RECENT when absent' })),
    featured: Type.Optional(Type.Boolean()),
    mine: Type.Optional(Type.Boolean()),
    organization: Type.Optional(Type.Boolean()),
    search: Type.Optional(Text(limits.search)),
    ...pageQuery,
  },
  reply: SearchPage(EntryItem),
  errors: ['PERMISSION_DENIED'],
})

/** Keeps ENT-17 to ENT-20. */
export const readEntry = operation('GET /marketplace/entries/:id', {
  ...marketplace,
  summary: 'Read an entry',
  auth: view,
  params: one,
  reply: Entry,
  errors: ['ENTRY_NOT_FOUND'],
})

/** Keeps ENT-36. */
export const readEntryFile = operation('GET /marketplace/entries/:id/file', {
  ...marketplace,
  summary: 'Download a file of an entry before installing it',
  auth: view,
  params: one,
  query: { path: Type.String({ minLength: 1, maxLength: limits.filePathBytes }) },
  responseType: 'application/octet-stream',
  errors: ['ENTRY_NOT_FOUND', 'FILE_NOT_FOUND'],
})

/** Keeps ENT-21. */
export const updateEntry = operation('PATCH /marketplace/entries/:id', {
  ...marketplace,
  summary: 'Update category or tags of an entry',
  description:
    'The new tags replace the old ones; an empty list clears them. The status does not change. Allowed for the ' +
    'submitter and the administrators of the organization that published the entry.',
  auth: submit,
  params: one,
  body: { category: Type.Optional(OneOf(categories)), tags: Type.Optional(EntryTags) },
  reply: Entry,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_OWN', 'ENTRY_ARCHIVED'],
})

/** Keeps ENT-22 to ENT-26. */
export const withdrawEntry = operation('DELETE /marketplace/entries/:id', {
  ...marketplace,
  summary: 'Withdraw an entry',
  description:
    'Allowed for the submitter and the administrators of the organization that published the entry. Deleting or ' +
    'archiving the asset also withdraws its entry.',
  auth: submit,
  params: one,
  reply: Entry,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_OWN'],
})

/** Keeps RPT-1 to RPT-3. */
export const reportEntry = operation('POST /marketplace/entries/:id/report', {
  ...marketplace,
  summary: 'Report an entry to the operators',
  description: 'One open report per person and entry; a second call returns the open report.',
  auth: view,
  params: one,
  body: {
    reason: Reason(limits.reportReason, limits.reportReasonMin),
  },
  reply: Type.Object({
    id: Id,
    entryId: Id,
    status: OneOf(['OPEN', 'CONFIRMED', 'DISMISSED']),
    createdAt: Time,
  }),
  status: 201,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED', 'ENTRY_OWN'],
  limit: { bucket: 'marketplace-reports', times: limits.reportsPerDay, ...day },
})

/** Keeps INS-1 to INS-6. */
export const installEntry = operation('POST /marketplace/entries/:id/install', {
  ...marketplace,
  summary: 'Install an entry into the library',
  description:
    'Creates a PRIVATE DRAFT asset of the caller with the content and attachments of the approved release.',
  auth: { session: { permission: 'STUDIO_MARKETPLACE_INSTALL' } },
  params: one,
  body: { acknowledgeDisclaimer: Type.Literal(true), customName: Type.Optional(Name(limits.installName)) },
  reply: Type.Object({
    installId: Id,
    installedAssetId: Id,
    installedVersion: Type.String(),
    filesCopied: Type.Integer(),
    filesFailed: Type.Integer(),
  }),
  status: 201,
  errors: ['ENTRY_NOT_FOUND', 'ENTRY_NOT_APPROVED', 'ENTRY_OWN'],
  limit: { bucket: 'marketplace-installs', times: limits.installsPerDay, ...day },
})
