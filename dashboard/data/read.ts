import {
  notifyManager,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Input, Reply, Route } from '#contract/route.ts'
import type { CallError, CallInput } from '#sdk/client.ts'
import { useOrganization } from './organization.tsx'
import { queryClient } from './query-client.ts'
import { callAccount, clientOf } from './session.ts'
import { type ToastingMutation, useToasting } from './toasting.ts'

/** The key of a read in the cache: organization, area, path, input. */
export function keyOf<In, Out>(
  organizationId: string,
  { area, method, path }: Route<In, Out>,
  input?: unknown,
): QueryKey {
  return [organizationId, area, `${method} ${path}`, ...(input === undefined ? [] : [input])]
}

type ReadOptions = {
  /** False: nothing is read yet. */
  enabled?: boolean
  /** How long a reply is shown without reading it anew; figures of money: 0. */
  staleMs?: number
  /** Reads again after this time while the screen is visible. */
  pollMs?: number
}

const detailStaleMs = 60_000
const listStaleMs = 300_000
/** More rows than a screen shows, so that the first page is enough to draw it. */
const pageSize = 50
/** How long a screen that is opened waits for its first replies before it shows empty shapes. */
const skeletonDelayMs = 100

/** Reads an operation of the organization in the address. */
export function useRead<R extends Route<unknown, unknown>>(
  operation: R,
  input?: CallInput<Input<R>>,
  options: ReadOptions & {
    /** Reads again only while this is true of the last reply: until a state that changes by itself is final. */
    pollWhile?: (reply: Reply<R>) => boolean
  } = {},
) {
  const { id } = useOrganization()
  const { pollMs, pollWhile } = options
  return useQuery<Reply<R>, CallError>({
    ...readQuery(id, operation, input, options),
    refetchInterval: ({ state: { data } }) =>
      pollMs !== undefined && (!pollWhile || (data !== undefined && pollWhile(data))) ? pollMs : false,
    enabled: options.enabled ?? true,
  })
}

/**
 * Begins a read of a screen before the screen is there: for the `loader` of its route, beside the script of the
 * screen and the rights of the caller. The screen then reads the same. Resolves when there is something to show, so
 * that a fast reply is drawn at once; after a tenth of a second without a reply, the screen shows that it waits.
 */
export function beginRead<R extends Route<unknown, unknown>>(
  organizationId: string,
  operation: R,
  input?: CallInput<Input<R>>,
  options: Pick<ReadOptions, 'staleMs'> = {},
): Promise<void> {
  const query = readQuery(organizationId, operation, input, options)
  return untilShown(query, queryClient.prefetchQuery(query))
}

function readQuery<R extends Route<unknown, unknown>>(
  organizationId: string,
  operation: R,
  input: CallInput<Input<R>> | undefined,
  { staleMs = detailStaleMs }: ReadOptions,
) {
  return {
    queryKey: keyOf(organizationId, operation, input),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      clientOf(organizationId).call(operation as Route<unknown, Reply<R>>, { ...(input as object), signal }),
    staleTime: staleMs,
  }
}

/** Reads an operation of the account: of the person, in no organization. */
export function useAccountRead<R extends Route<unknown, unknown>>(operation: R, options: ReadOptions = {}) {
  return useQuery<Reply<R>, CallError>({
    queryKey: keyOf('account', operation),
    queryFn: () => callAccount(operation as Route<unknown, Reply<R>>),
    staleTime: options.staleMs ?? detailStaleMs,
    enabled: options.enabled ?? true,
  })
}

/** A page of a list: by offset with a total, by cursor, by a position in a log, or by its number (LEAD-35). */
type Paged =
  | { items: unknown[]; total?: number; nextCursor?: string | null; nextBefore?: number | string | null }
  | { data: unknown[]; pagination: { page: number; total: number; hasNextPage: boolean } }
type Item<R> =
  Reply<R> extends { items: (infer One)[] } ? One : Reply<R> extends { data: (infer One)[] } ? One : never

/** Reads a list page after page: by cursor, position or page number, as its reply says. */
export function useList<R extends Route<unknown, Paged>>(
  operation: R,
  input?: CallInput<Input<R>>,
  options: ReadOptions = {},
) {
  const { id } = useOrganization()
  const query = useInfiniteQuery({
    ...listQuery(id, operation, input, options),
    refetchInterval: options.pollMs ?? false,
    enabled: options.enabled ?? true,
  })
  const { data } = query
  // the same array until the list changes: rows are not drawn again
  const items = useMemo(() => (data?.pages ?? []).flatMap(rowsOf) as Item<R>[], [data])
  return {
    items,
    total: data?.pages[0] && totalOf(data.pages[0]),
    isLoading: query.isPending,
    error: query.error as CallError | null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  }
}

/** Begins the first page of a list before its screen is there, as `beginRead` does. */
export function beginList<R extends Route<unknown, Paged>>(
  organizationId: string,
  operation: R,
  input?: CallInput<Input<R>>,
  options: Pick<ReadOptions, 'staleMs'> = {},
): Promise<void> {
  const query = listQuery(organizationId, operation, input, options)
  return untilShown(query, queryClient.prefetchInfiniteQuery(query))
}

function untilShown({ queryKey }: { queryKey: QueryKey }, reading: Promise<void>): Promise<void> {
  // a former reply is shown while the new one is read
  if (queryClient.getQueryData(queryKey) !== undefined) return Promise.resolve()
  return Promise.race([reading, new Promise<void>(resolve => setTimeout(resolve, skeletonDelayMs))])
}

function listQuery<R extends Route<unknown, Paged>>(
  organizationId: string,
  operation: R,
  input: CallInput<Input<R>> | undefined,
  { staleMs = listStaleMs }: ReadOptions,
) {
  return {
    queryKey: [...keyOf(organizationId, operation, input), 'pages'],
    queryFn: ({ pageParam, signal }: { pageParam: PageParameter; signal: AbortSignal }) =>
      clientOf(organizationId).call(
        operation as Route<unknown, Paged>,
        {
          ...(input as object),
          query: { limit: pageSize, ...(input as { query?: object } | undefined)?.query, ...pageParam },
          signal,
        } as CallInput<unknown>,
      ),
    initialPageParam: {} as PageParameter,
    getNextPageParam: (last: Paged, all: Paged[]) => nextPage(last, all),
    staleTime: staleMs,
  }
}

function rowsOf(page: Paged): unknown[] {
  return 'items' in page ? page.items : page.data
}

function totalOf(page: Paged): number | undefined {
  return 'items' in page ? page.total : page.pagination.total
}

type PageParameter = { cursor?: string; before?: number | string; offset?: number; page?: number }

function nextPage(last: Paged, all: Paged[]): PageParameter | undefined {
  if (!('items' in last)) return last.pagination.hasNextPage ? { page: last.pagination.page + 1 } : undefined
  if (last.nextCursor) return { cursor: last.nextCursor }
  if (last.nextBefore) return { before: last.nextBefore }
  if (last.nextCursor === null || last.total === undefined) return undefined
  const count = all.reduce((sum, page) => sum + rowsOf(page).length, 0)
  return last.items.length > 0 && count < last.total ? { offset: count } : undefined
}

/** Calls operations without the cache: for rows that a screen keeps itself, and for what is written while a person types. */
export function useCall(): <R extends Route<unknown, unknown>>(
  operation: R,
  input: CallInput<Input<R>>,
) => Promise<Reply<R>> {
  const { id } = useOrganization()
  return useCallback(
    (operation, input) =>
      clientOf(id).call(operation as Route<unknown, Reply<typeof operation>>, input as CallInput<unknown>),
    [id],
  )
}

/**
 * Calls an operation that changes something. After a success, the reads of `refreshes` are read anew; without
 * it, all reads of the same area.
 */
export function useAction<R extends Route<unknown, unknown>>(
  operation: R,
  { refreshes }: { refreshes?: readonly Route<unknown, unknown>[] } = {},
): ToastingMutation<Reply<R>, CallError, CallInput<Input<R>>> {
  const { id } = useOrganization()
  const cache = useQueryClient()
  return useToasting(
    useMutation<Reply<R>, CallError, CallInput<Input<R>>>({
      mutationFn: input =>
        clientOf(id).call(operation as Route<unknown, Reply<R>>, input as CallInput<unknown>),
      onSuccess: () => {
        const keys = refreshes?.map(read => keyOf(id, read)) ?? [[id, operation.area]]
        return readAgain(cache, ...keys)
      },
    }),
  )
}

/** Reads anew what has these keys. Resolves once the screen shows the replies. */
export async function readAgain(cache: QueryClient, ...keys: QueryKey[]): Promise<void> {
  await Promise.all(keys.map(queryKey => cache.invalidateQueries({ queryKey })))
  // the cache tells its readers a moment after the replies have come
  await new Promise<void>(resolve => notifyManager.schedule(resolve))
}
