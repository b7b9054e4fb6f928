import { useMemo, useState } from 'react'
import { steadyOrder } from './steady-order.ts'

/**
 * The rows of a list that changes by itself, each at the place where it was first shown, and how many new ones wait.
 * `listKey` names the list: another one begins with the order of the server.
 */
export function useSteadyRows<Row extends { id: string }>(
  listKey: string,
  rows: readonly Row[],
): { rows: readonly Row[]; newCount: number; show: () => void } {
  const [shownOrder, setShownOrder] = useState<{ key: string; order: readonly string[] }>({
    key: listKey,
    order: [],
  })
  const former = shownOrder.key === listKey ? shownOrder.order : []
  const { order, added } = steadyOrder(
    former,
    rows.map(({ id }) => id),
  )
  if (shownOrder.key !== listKey || order !== former) setShownOrder({ key: listKey, order })
  const shown = useMemo(() => {
    const byId = new Map(rows.map(row => [row.id, row]))
    return order.flatMap(id => byId.get(id) ?? [])
  }, [order, rows])
  return { rows: shown, newCount: added.length, show: () => setShownOrder({ key: listKey, order: [] }) }
}
