import type { ServedOperation } from '#platform/http/operation.ts'
import { listVisible } from './applications/list.ts'
import { publish } from './applications/publish.ts'
import { readVisible } from './applications/read.ts'
import { edit } from './edit.ts'
import { mentions } from './mentions/list.ts'
import { list } from './pages/list.ts'
import { thread } from './pages/thread.ts'
import { post } from './post.ts'
import { read } from './read.ts'
import { remove } from './remove.ts'
import { search } from './search/search.ts'
import { threads } from './threads/list.ts'

/** Operations of people, then those of applications. */
export const messageOperations: ServedOperation[] = [
  post,
  edit,
  remove,
  read,
  list,
  thread,
  threads,
  mentions,
  search,
  readVisible,
  publish,
  listVisible,
]
