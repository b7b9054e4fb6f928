import type { ServedOperation } from '#platform/http/operation.ts'
import { archive, unarchive } from './assets/archive.ts'
import { countUses } from './assets/count-uses.ts'
import { create } from './assets/create.ts'
import { duplicate } from './assets/duplicate.ts'
import { list } from './assets/list.ts'
import { publish } from './assets/publish.ts'
import { purge } from './assets/purge.ts'
import { thumbsDown, thumbsUp } from './assets/react.ts'
import { read, readBySlug } from './assets/read.ts'
import { remove } from './assets/remove.ts'
import { listRestorable, restore } from './assets/restore.ts'
import { transfer, transferAll } from './assets/transfer.ts'
import { update } from './assets/update.ts'
import { use } from './assets/use.ts'
import { verify } from './assets/verify.ts'
import { collectionOperations } from './collections/collection.routes.ts'
import { fileOperations } from './files/file.routes.ts'
import { linkOperations } from './links/link.routes.ts'
import { packageOperations } from './packages/package.routes.ts'
import { shareOperations } from './shares/share.routes.ts'
import { catalogStream } from './stream/catalog-stream.ts'
import { toolOperations } from './tools/tool.routes.ts'
import { versionOperations } from './versions/version.routes.ts'

/** Every operation of the studio. */
export const studioRoutes: ServedOperation[] = [
  create,
  list,
  readBySlug,
  read,
  update,
  remove,
  listRestorable,
  restore,
  purge,
  publish,
  archive,
  unarchive,
  verify,
  duplicate,
  transfer,
  transferAll,
  use,
  countUses,
  thumbsUp,
  thumbsDown,
  catalogStream,
  ...versionOperations,
  ...fileOperations,
  ...packageOperations,
  ...collectionOperations,
  ...linkOperations,
  ...shareOperations,
  ...toolOperations,
]
