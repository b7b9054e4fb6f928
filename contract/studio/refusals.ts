import type { Refusals } from '../refusal.ts'

/** The error codes of the studio; see contract/errors.ts. */
export const studioRefusals = {
  ASSET_NOT_FOUND: { status: 404, text: 'This asset does not exist, or you may not see it.' },
  ASSET_ACCESS_DENIED: { status: 403, text: 'You may view this asset but not change it.' },
  ASSET_ARCHIVED: { status: 409, text: 'The asset is archived. Unarchive it first.' },
  ASSET_UPDATE_CONFLICT: {
    status: 409,
    text: 'The asset changed after you read it. Read it again, then repeat your change.',
  },
  AUTHOR_UNKNOWN: {
    status: 400,
    text: 'The new author is not a member of this organization. Choose a member.',
  },
  SLUG_CONFLICT: { status: 409, text: 'Another asset uses or used this slug. Choose another one.' },
  VERSION_EXISTS: { status: 409, text: 'This version already exists. Use the number in nextVersion.' },
  VERSION_NOT_FOUND: { status: 404, text: 'This asset has no such version.' },
  VERSION_PUBLISHED: {
    status: 409,
    text: 'A published version cannot be changed. Create a new version first.',
  },
  FILE_NOT_FOUND: { status: 404, text: 'This attachment does not exist.' },
  FILE_EXISTS: {
    status: 409,
    text: 'A file with this path already exists. Send overwrite=true to replace it.',
  },
  FILE_TOO_LARGE: { status: 413, text: 'The file is larger than the limit.' },
  TOO_MANY_FILES: { status: 413, text: 'There are more files than the limit.' },
  FILE_ADDRESS_INVALID: {
    status: 403,
    text: 'This download address has expired or was changed. Request a new one.',
  },
  RANGE_NOT_SATISFIABLE: { status: 416, text: 'The requested range is outside the file.' },
  PACKAGE_INVALID: { status: 400, text: 'The package cannot be imported. See details.' },
  PACKAGE_TOO_LARGE: { status: 413, text: 'The package, or a file in it, is larger than the limit.' },
  COLLECTION_NAME_TAKEN: {
    status: 409,
    text: 'A collection with this name already exists here. Choose another name.',
  },
  COLLECTION_CYCLE: { status: 409, text: 'A collection cannot be moved into itself or below itself.' },
  COLLECTION_HAS_CHILDREN: {
    status: 409,
    text: 'The collection contains other collections. Move or delete them first.',
  },
  COLLECTION_TOO_DEEP: { status: 409, text: 'Collections cannot be nested that deeply.' },
  TOO_MANY_COLLECTIONS: {
    status: 409,
    text: 'The limit of collections is reached. Delete or remove one first.',
  },
  LINK_NOT_FOUND: { status: 404, text: 'This link does not exist.' },
  TOO_MANY_LINKS: { status: 409, text: 'The asset has reached the limit of links. Delete one first.' },
  SHARE_NOT_FOUND: { status: 404, text: 'This share does not exist.' },
  GRANTEE_UNKNOWN: {
    status: 400,
    text: 'The grantee is not a member, group or department of this organization.',
  },
  SHARE_ABOVE_OWN_LEVEL: {
    status: 403,
    text: 'You cannot grant or revoke more access than you have yourself.',
  },
  TOO_MANY_SHARES: { status: 409, text: 'The asset has reached the limit of shares. Revoke one first.' },
  DEPARTMENT_UNKNOWN: { status: 400, text: 'A department does not exist in this organization.' },
  COLLECTION_NOT_FOUND: { status: 404, text: 'This collection does not exist.' },
} as const satisfies Refusals
