/** A draft as the browser keeps it. */
export type StoredDraft = { key: string; values: Record<string, unknown>; savedAt: number }

const databaseName = 'patio'
const storeName = 'drafts'
const retentionMs = 7 * 24 * 3_600_000
let opened: Promise<IDBDatabase | undefined> | undefined

/** Reads a draft; undefined also where the browser keeps no data, such as in some private windows. */
export async function readDraft(key: string): Promise<StoredDraft | undefined> {
  const draft = await inStore('readonly', store => store.get(key) as IDBRequest<StoredDraft | undefined>)
  return draft && draft.savedAt > Date.now() - retentionMs ? draft : undefined
}

/** Reads the drafts whose keys begin like this. */
export async function readDrafts(prefix: string): Promise<StoredDraft[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const drafts = await inStore('readonly', store => store.getAll(range) as IDBRequest<StoredDraft[]>)
  return (drafts ?? []).filter(({ savedAt }) => savedAt > Date.now() - retentionMs)
}

export async function writeDraft(key: string, values: Record<string, unknown>): Promise<StoredDraft> {
  const draft = { key, values, savedAt: Date.now() }
  await inStore('readwrite', store => store.put(draft))
  return draft
}

export async function removeDraft(key: string): Promise<void> {
  await inStore('readwrite', store => store.delete(key))
}

/** Removes all drafts of this browser: at the end of a session. */
export async function clearDrafts(): Promise<void> {
  await inStore('readwrite', store => store.clear())
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  opened ??= openDatabase()
  const database = await opened
  if (!database) return undefined
  return new Promise(resolve => {
    const request = use(database.transaction(storeName, mode).objectStore(storeName))
    request.onsuccess = () => resolve(request.result)
    // a draft that cannot be kept must not stop the work
    request.onerror = () => resolve(undefined)
  })
}

async function openDatabase(): Promise<IDBDatabase | undefined> {
  const database = await new Promise<IDBDatabase | undefined>(resolve => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => resolve(undefined)
  })
  if (database) removeOldDrafts(database)
  return database
}

function removeOldDrafts(database: IDBDatabase): void {
  const oldest = Date.now() - retentionMs
  const cursor = database.transaction(storeName, 'readwrite').objectStore(storeName).openCursor()
  cursor.onsuccess = () => {
    if (!cursor.result) return
    if ((cursor.result.value as StoredDraft).savedAt <= oldest) cursor.result.delete()
    cursor.result.continue()
  }
}
