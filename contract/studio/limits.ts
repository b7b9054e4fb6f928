/** The numbers of the studio; see contract/limits.ts. */
export const studioLimits = {
  // The interface and its clients rely on these (Limits in docs/spec/studio.md)
  assetName: 255,
  assetIconName: 64,
  assetColor: 32,

  // chosen by the product
  assetDescription: 4_000,
  assetBody: 500_000,
  /** Front matter, written as YAML: reading it takes time for each of its tokens (words, marks and line breaks). */
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
  /** Assets of one person that one call hands over. */
  assetsPerHandOver: 500,
  /** Events that a person is sent at most when they leave a department, workspace or group: one for each asset. */
  assetsLostAtOnce: 1_000,
  /** Differences: lines around a change, lines that are compared, common ones that may move, fields told apart. */
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
  /** An upload that stands still for so long is given up. */
  uploadSilenceSeconds: 30,
  /** So is a download of which nothing is taken, and one that takes too long. */
  downloadSilenceSeconds: 30,
  downloadSeconds: 3_600,
  /** A stored file of which nothing was read by then, or of a short one not all, cannot be read now. */
  fileReadMs: 5_000,
  /** Packages, as archives and unpacked. */
  packageBytes: 26_214_400,
  packageUnpackedBytes: 52_428_800,
  packageFileBytes: 10_485_760,
  packageFiles: 1_000,
  packageRatio: 100,
  collectionName: 120,
  collectionDescription: 2_000,
  collectionDepth: 8,
  collectionsPerOrganization: 10_000,
  /** When a collection is deleted, the change is announced for so many of the assets that were filed in it. */
  unfiledAnnounced: 1_000,
  linkNote: 1_000,
  linksPerAsset: 1_000,
  granteesPerShare: 100,
  sharesPerAsset: 1_000,
  shareDays: 365,
  expiredShareDays: 30,
  /** What tools read: assets in an index, resources on a page, bytes of one resource, minutes of an address. */
  toolCatalogue: 1_000,
  toolPage: 100,
  toolResourceBytes: 10_485_760,
  packageAddressMinutes: 60,
  packageFileName: 100,
  rpcMethod: 100,
  entityType: 64,
  entityId: 255,
} as const
