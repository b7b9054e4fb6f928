import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ListGrid } from '../../data/list-grid.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import { deliveriesTexts } from './deliveries.words.ts'
import type { ListedDelivery } from './delivery.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import { type DeliverySearch, nextFailed } from './delivery-search.rules.ts'
import type { useDeliveries } from './use-deliveries.ts'

const DeliverySheet = late(() => import('./delivery-sheet.tsx').then(sheet => sheet.DeliverySheet))

type DeliveryListProps = {
  deliveries: ReturnType<typeof useDeliveries>
  /** The application of all rows; undefined if each row names its own. */
  applicationId: string | undefined
  search: DeliverySearch
  /** The button of an empty list without filters. */
  emptyAction: React.ReactNode
}

/** A list of deliveries with the sheet of the open one. `n` opens the next failed one. */
export function DeliveryList({ deliveries, applicationId, search, emptyAction }: DeliveryListProps) {
  const text = useWords(deliveriesTexts)
  const navigate = useNavigate()
  const hrefOf = useApplicationHref()
  const { list, newCount, showNew } = deliveries
  const { open, ...filters } = search
  const isNarrow = open !== undefined
  const columns = useMemo(
    () => deliveryColumns(text, { hasApplication: applicationId === undefined, isNarrow }),
    [text, applicationId, isNarrow],
  )
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: former => ({ ...former, open: id }), replace: true })
  const index = list.items.findIndex(({ id }) => id === open)
  const failed = nextFailed(list.items, open)
  useShortcuts({ n: failed && { label: text.openFailed, action: () => show(failed.id) } }, text.title)
  const applicationOf = (row: ListedDelivery) => applicationId ?? row.applicationId ?? ''
  return (
    <WithSheet
      sheet={
        open !== undefined && (
          <DeliverySheet
            key={open}
            deliveryId={open}
            applicationId={applicationId ?? list.items[index]?.applicationId}
            onClose={() => show(undefined)}
            onNextFailed={failed && (() => show(failed.id))}
            {...neighboursOf(list.items, index, ({ id }) => show(id))}
          />
        )
      }
    >
      <ListGrid
        label={text.title}
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowLabel={({ event, id }) => text.rowOf(event, id)}
        rowHref={row => hrefOf(applicationOf(row), 'deliveries', `/${row.id}`)}
        onOpen={({ id }) => show(id)}
        current={open}
        newCount={newCount}
        onShowNew={showNew}
        empty={
          <EmptyList
            isFiltered={Object.keys(filters).length > 0}
            nothingFits={text.nothing}
            onClear={() => void navigate({ to: '.', search: {} })}
            title={text.empty}
            action={emptyAction}
          >
            {text.emptyAbout}
          </EmptyList>
        }
      />
    </WithSheet>
  )
}
