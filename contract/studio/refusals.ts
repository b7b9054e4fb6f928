import type { Refusals } from '../refusal.ts'

/** The refusals of the studio; see contract/errors.ts. */
export const studioRefusals = {
  ASSET_NOT_FOUND: { status: 404, text: 'There is no such asset, or you may not see it.' },
  ASSET_ACCESS_DENIED: { status: 403, text: 'You may see this asset but not change it.' },
  ASSET_ARCHIVED: { status: 409, text: 'The asset is archived. Unarchive it first.' },
  ASSET_UPDATE_CONFLICT: { status: 409, text: 'The asset changed after you read it. Read it again.' },
  AUTHOR_UNKNOWN: { status: 400, text: 'The new author is not a member of this organization.' },
  SLUG_CONFLICT: { status: 409, text: 'This slug is in use already.' },
  VERSION_EXISTS: { status: 409, text: 'This version exists already.' },
  VERSION_NOT_FOUND: { status: 404, text: 'This asset has no such version.' },
  VERSION_PUBLISHED: {
    status: 409,
    text: 'A published version does not change. Create a new version first.',
  },
  FILE_NOT_FOUND: { status: 404, text: 'There is no such attachment.' },
  FILE_EXISTS: { status: 409, text: 'There is a file at this path. Send overwrite=true to replace it.' },
  FILE_TOO_LARGE: { status: 413, text: 'A file is larger than the limit.' },
  TOO_MANY_FILES: { status: 413, text: 'A version cannot hold that many files.' },
  FILE_ADDRESS_INVALID: {
    status: 403,
    text: 'This download address has expired or was changed. Ask for a new one.',
  },
  RANGE_NOT_SATISFIABLE: { status: 416, text: 'The file has no such bytes.' },
  PACKAGE_INVALID: { status: 400, text: 'The package cannot be imported. See details.' },
  PACKAGE_TOO_LARGE: { status: 413, text: 'The package, or something in it, is larger than the limit.' },
  COLLECTION_NAME_TAKEN: { status: 409, text: 'There is a collection of this name at this place.' },
  COLLECTION_CYCLE: { status: 409, text: 'A collection cannot be moved into itself or below itself.' },
  COLLECTION_HAS_CHILDREN: { status: 409, text: 'The collection holds others. Move or delete them first.' },
  COLLECTION_TOO_DEEP: { status: 409, text: 'Collections cannot be nested that deep.' },
  TOO_MANY_COLLECTIONS: { status: 409, text: 'There is no room for another collection here.' },
  LINK_NOT_FOUND: { status: 404, text: 'There is no such link.' },
  TOO_MANY_LINKS: { status: 409, text: 'The asset has as many links as it can have.' },
  SHARE_NOT_FOUND: { status: 404, text: 'There is no such share.' },
  GRANTEE_UNKNOWN: {
    status: 400,
    text: 'Whom you share with is not a member, group or department of this organization.',
  },
  SHARE_ABOVE_OWN_LEVEL: { status: 403, text: 'You cannot give or revoke more than you may do yourself.' },
  TOO_MANY_SHARES: { status: 409, text: 'The asset has as many shares as it can have.' },
  DEPARTMENT_UNKNOWN: { status: 400, text: 'A department is not one of this organization.' },
  COLLECTION_NOT_FOUND: { status: 404, text: 'There is no such collection.' },
} as const satisfies Refusals
