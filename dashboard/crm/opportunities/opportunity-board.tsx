import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import {
  createOpportunity,
  listOpportunities,
  type Opportunity,
  type OpportunityStatus as StatusOfOpportunity,
  updateOpportunity,
} from '#contract/crm/opportunities.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction, useList } from '../../data/read.ts'
import { Board, type BoardColumn } from '../../parts/board.tsx'
import { Button } from '../../parts/button.tsx'
import { Money } from '../../parts/money.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { useClientNames } from '../budgets/client-name.tsx'
import { ViewSwitch } from '../leads/view-switch.tsx'
import styles from './opportunities.module.css'
import { opportunityTexts } from './opportunities.words.ts'
import {
  changeTo,
  columnIdOf,
  type OpportunityBoardSearch,
  opportunityBoardSearchOf,
  opportunityInputOf,
  type Place,
  placeOf,
  placesOf,
  sumsOf,
} from './opportunity.rules.ts'
import { CreateOpportunityButton, OpportunityDialog } from './opportunity-dialogs.tsx'
import { OpportunityFilters } from './opportunity-filters.tsx'
import { OpportunityStatus } from './opportunity-status.tsx'

/** The open opportunities by stage, and the closed ones. */
export function OpportunityBoard() {
  const text = useWords(opportunityTexts)
  const actionText = useWords(actionTexts)
  const language = useLanguage()
  const may = useMay()
  const cache = useQueryClient()
  const { id: organizationId, address } = useOrganization()
  const update = useAction(updateOpportunity)
  const navigate = useNavigate()
  const search = useSearch({ from: '/o/$organization/opportunities/board' })
  const { places, columns } = useColumns(search)
  const clientNames = useClientNames(columns.flatMap(({ cards }) => cards.map(({ clientId }) => clientId)))

  const [isCreating, setCreating] = useState(false)
  const mayCreate = may(createOpportunity)
  const create = () => setCreating(true)
  useCreateAction('create-opportunity', actionText['create-opportunity'], text.title, mayCreate && create)

  async function move(opportunity: Opportunity, columnId: string): Promise<string | undefined> {
    const place = places.find(one => columnIdOf(one) === columnId)
    if (!place) return undefined
    try {
      await update.mutateAsync({ params: { id: opportunity.id }, body: changeTo(opportunity, place) })
      return undefined
    } catch (error) {
      await needErrorTexts(language)
      await readAgain(cache, keyOf(organizationId, listOpportunities))
      return textOfError(error, language)
    }
  }
  function obstacleOf({ status }: Opportunity, columnId: string): string | undefined {
    const isClosing = columnId === 'WON' || columnId === 'LOST'
    return status !== 'OPEN' && isClosing && columnId !== status ? text.reopenFirst : undefined
  }

  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ViewSwitch of="opportunities" view="board" filters={search} />
          {mayCreate && <CreateOpportunityButton onPress={create} />}
        </>
      }
      below={
        <OpportunityFilters
          view="board"
          filters={search}
          onChange={changed =>
            void navigate({
              to: '.',
              search: opportunityBoardSearchOf({ ...search, ...changed }),
              replace: true,
            })
          }
        />
      }
    >
      <Board
        label={text.title}
        columns={columns}
        cardKey={({ id }) => id}
        cardLabel={({ title }) => title}
        cardHref={({ id }) => `/o/${encodeURIComponent(address)}/opportunities/${id}`}
        obstacleOf={obstacleOf}
        onMove={may(updateOpportunity) ? move : undefined}
      >
        {({ clientId, amountCents, currency, expectedOn }) => (
          <>
            <span className={styles.quiet}>{clientNames.get(clientId)}</span>
            <span className={styles.cardFacts}>
              {amountCents !== null && currency && <Money cents={amountCents} currency={currency} />}
              {expectedOn && <Time value={expectedOn} form="date" />}
            </span>
          </>
        )}
      </Board>
      {isCreating && <OpportunityDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function useColumns(search: OpportunityBoardSearch): {
  places: readonly Place[]
  columns: BoardColumn<Opportunity>[]
} {
  const text = useWords(opportunityTexts)
  const language = useLanguage()
  const lists = {
    OPEN: useList(listOpportunities, opportunityInputOf({ ...search, status: 'OPEN' })),
    WON: useList(listOpportunities, opportunityInputOf({ ...search, status: 'WON' })),
    LOST: useList(listOpportunities, opportunityInputOf({ ...search, status: 'LOST' })),
  } satisfies Record<StatusOfOpportunity, unknown>
  // a stage that the last card has left stays, so that the card can go back
  const stages = useRef(new Set<string>())
  for (const { stage } of lists.OPEN.items) if (stage !== null) stages.current.add(stage)
  const places = placesOf(stages.current)
  // the line of the sums keeps the cards of all columns level; without any sum, no column has it
  const hasSums = Object.values(lists).some(
    ({ items, hasMore }) => hasMore || items.some(({ amountCents }) => amountCents !== null),
  )

  const columns = places.map(place => {
    const { items, total, error, reload, ...list } = lists[place.status]
    const id = columnIdOf(place)
    const cards = items.filter(card => columnIdOf(placeOf(card)) === id)
    const isStage = place.status === 'OPEN'
    const title = isStage ? (place.stage ?? text.noStage) : text[place.status]
    return {
      ...list,
      id,
      title,
      head: isStage ? title : <OpportunityStatus status={place.status} />,
      cards,
      // the server counts the open ones together: those of a stage are known once all are read
      total: isStage ? (list.hasMore || list.isLoading ? undefined : cards.length) : total,
      about: hasSums && (
        <span className={styles.sums}>
          {sumsOf(cards).map(({ currency, cents }) => (
            <Money key={currency} cents={cents} currency={currency} />
          ))}
          {list.hasMore && total !== undefined && <span>{text.partial(items.length, total)}</span>}
        </span>
      ),
      error: error && (
        <Problem
          title={textOfError(error, language)}
          action={<Button onPress={reload}>{text.again}</Button>}
        />
      ),
    }
  })
  return { places, columns }
}
