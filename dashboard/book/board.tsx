import { useState } from 'react'
import { Board, type BoardColumn } from '../parts/board.tsx'
import { Money } from '../parts/money.tsx'
import { Problem } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { useWords, words } from '../words/words.ts'
import { type Chapter, State } from './chapter.tsx'

type Deal = { id: string; name: string; company: string; cents: number; stage: string }

const texts = words({
  es: {
    leads: 'Leads',
    open: 'Nuevo',
    talking: 'En negociación',
    won: 'Ganado',
    lost: 'Perdido',
    notWon: 'Convierte el lead en su página.',
    refused: 'Otra persona lo cambió antes.',
    failed: 'No se pudo leer la columna',
  },
  en: {
    leads: 'Leads',
    open: 'New',
    talking: 'Negotiating',
    won: 'Won',
    lost: 'Lost',
    notWon: 'Convert the lead on its page.',
    refused: 'Somebody else changed it first.',
    failed: 'The column could not be read',
  },
})

const names = ['Sara Vidal', 'Jon Etxebarria', 'Lucía Ferrán', 'Marc Oliveras', 'Nerea Zubiri', 'Pau Riera']
const companies = ['Vitrina', 'Taller Norte', 'Clínica Sarriá', 'Astilleros Quiroga e Hijos, S. L. U.']
const first: readonly Deal[] = names.map((name, at) => ({
  id: `deal-${at}`,
  name,
  company: companies[at % companies.length]!,
  cents: 98_000 + at * 312_345,
  stage: ['open', 'open', 'talking', 'open', 'won', 'open'][at]!,
}))

function BoardStates() {
  const text = useWords(texts)
  const [deals, setDeals] = useState(first)
  const cardsOf = (stage: string) => deals.filter(deal => deal.stage === stage)
  const columns: BoardColumn<Deal>[] = [
    {
      id: 'open',
      title: text.open,
      head: <Status icon="dashed">{text.open}</Status>,
      cards: cardsOf('open'),
      total: 10_000,
      hasMore: true,
      loadMore: () => {},
    },
    {
      id: 'talking',
      title: text.talking,
      head: <Status icon="half">{text.talking}</Status>,
      about: <Money cents={722_690} currency="eur" />,
      cards: cardsOf('talking'),
      total: cardsOf('talking').length,
    },
    { id: 'won', title: text.won, cards: cardsOf('won'), total: cardsOf('won').length },
    { id: 'lost', title: text.lost, cards: [], total: undefined, error: <Problem title={text.failed} /> },
  ]
  return (
    <State title="Board" isFramed>
      <Board
        label={text.leads}
        columns={columns}
        cardKey={({ id }) => id}
        cardLabel={({ name }) => name}
        cardHref={({ id }) => `#${id}`}
        obstacleOf={(_, to) => (to === 'won' ? text.notWon : undefined)}
        onMove={(deal, to) => {
          if (to === 'lost') return Promise.resolve(text.refused)
          setDeals(former => [{ ...deal, stage: to }, ...former.filter(({ id }) => id !== deal.id)])
          return Promise.resolve(undefined)
        }}
      >
        {({ company, cents }) => (
          <>
            <span>{company}</span>
            <Money cents={cents} currency="eur" />
          </>
        )}
      </Board>
    </State>
  )
}

export const boardChapters: readonly Chapter[] = [{ id: 'board', title: 'Board', Content: BoardStates }]
