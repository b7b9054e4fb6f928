/** The numbers of the studio; see contract/limits.ts. */
export const studioLimits = {
  // Fixed by docs/spec/studio.md (Limits): clients rely on them
  assetName: 255,
  assetIconName: 64,
  assetColor: 32,

  // Our own choices
  assetDescription: 4_000,
  assetBody: 500_000,
  /** Front matter written as YAML. Parsing time grows with the number of tokens (words, punctuation, line breaks). */
  frontmatterCharacters: 131_072,
  frontmatterTokens: 5_000,
  assetTags: 50,
  assetTag: 48,
  assetDepartments: 100,
  assetCollections: 50,
  assetSlug: 64,
  assetVersion: 64,
  assetChangelog: 4_000,
  deletedAssetDays: 30,
  /** The uses of an asset by day: days in a reply, and uses that are counted of one day. */
  assetUseDays: 90,
  assetUsesPerDay: 10_000,
  /** Assets that one call transfers to another author. */
  assetsPerHandOver: 500,
  /** Events that a person receives at most when they leave a department, workspace or group: one per asset. */
  assetsLostAtOnce: 1_000,
  /** Diffs: context lines around a change, compared lines, edits, and fields reported one by one. */
  differenceContext: 3,
  differenceLines: 100_000,
  differenceEdits: 500,
  differenceFields: 500,
  /** Attachments. */
  fileBytes: 104_857_600,
  filePathBytes: 255,
  filePathDepth: 8,
  filesPerUpload: 100,
  filesPerVersion: 1_000,
  versionBytes: 1_073_741_824,
  fileAddressMinutes: 5,
  unreferencedFileHours: 24,
  uploadSeconds: 900,
  /** An upload without new data for this long is aborted. */
  uploadSilenceSeconds: 30,
  /** A download is aborted after this long without progress, and after this long in total. */
  downloadSilenceSeconds: 30,
  downloadSeconds: 3_600,
  /** Time in which the file store must return the first bytes of a file, or all bytes of a small one. */
  fileReadMs: 5_000,
  /** Packages: the archive and its unpacked content. */
  packageBytes: 26_214_400,
  packageUnpackedBytes: 52_428_800,
  packageFileBytes: 10_485_760,
  packageFiles: 1_000,
  packageRatio: 100,
  collectionName: 120,
  collectionDescription: 2_000,
  collectionDepth: 8,
  collectionsPerOrganization: 10_000,
  /** Events that deleting a collection sends at most: one per asset that was in it. */
  unfiledAnnounced: 1_000,
  linkNote: 1_000,
  linksPerAsset: 1_000,
  granteesPerShare: 100,
  sharesPerAsset: 1_000,
  shareDays: 365,
  expiredShareDays: 30,
  /** Developer tools: assets in an index, resources on a page, bytes of one resource, lifetime of an address. */
  toolCatalogue: 1_000,
  toolPage: 100,
  toolResourceBytes: 10_485_760,
  packageAddressMinutes: 60,
  packageFileName: 100,
  rpcMethod: 100,
  entityType: 64,
  entityId: 255,
} as const
