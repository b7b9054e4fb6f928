import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { type Column, Grid } from '../parts/grid.tsx'
import { noValue } from '../parts/grid-column.ts'
import { Money } from '../parts/money.tsx'
import { Empty, Problem } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

type Lead = {
  id: string
  name: string
  company: string
  stage: number
  score: number | null
  cents: number
  at: number
}

const people = ['Sara Vidal', 'Jon Etxebarria', 'Lucía Ferrán', 'Marc Oliveras', 'Nerea Zubiri', 'Pau Riera']
const companies = [
  'Vitrina',
  'Taller Norte',
  'Clínica Sarriá',
  'Hostal Mirador',
  'Bodegas Luzón',
  'Forn Riera',
]
const longTitle = 'Astilleros Quiroga e Hijos, Sociedad Limitada Unipersonal'
const firstTime = Date.parse('2026-11-23T09:00:00Z')
const leads: readonly Lead[] = Array.from({ length: 10_000 }, (_, at) => ({
  id: `lead-${at}`,
  name: `${people[at % people.length]}${at < people.length ? '' : ` ${at}`}`,
  company: at === 3 ? longTitle : companies[at % companies.length]!,
  stage: at % 4,
  score: at % 3 === 1 ? null : 30 + ((at * 7) % 60),
  cents: 98_000 + ((at * 123_457) % 2_400_000),
  at: firstTime - at * 1_700_000,
}))

const texts = words({
  es: {
    name: 'Nombre',
    company: 'Empresa',
    status: 'Estado',
    score: 'Puntuación',
    points: (score: number) => `${score} puntos`,
    value: 'Valor',
    touched: 'Tocado',
    leads: 'Leads',
    open: 'Abrir',
    erase: 'Borrar…',
    none: 'Todavía no hay leads',
    create: 'Crear lead',
    failed: 'No se pudo leer la lista',
    retry: 'Reintentar',
    new: 'Nuevo',
    contacted: 'Contactado',
    qualified: 'Cualificado',
    negotiating: 'En negociación',
  },
  en: {
    name: 'Name',
    company: 'Company',
    status: 'Status',
    score: 'Score',
    points: (score: number) => `${score} points`,
    value: 'Value',
    touched: 'Touched',
    leads: 'Leads',
    open: 'Open',
    erase: 'Erase…',
    none: 'There are no leads yet',
    create: 'Create lead',
    failed: 'The list could not be read',
    retry: 'Retry',
    new: 'New',
    contacted: 'Contacted',
    qualified: 'Qualified',
    negotiating: 'Negotiating',
  },
})
const stageIcons = ['dashed', 'quarter', 'threeQuarters', 'half'] as const

const columnsOf = (language: 'es' | 'en'): readonly Column<Lead>[] => {
  const text = texts[language]
  const stages = [text.new, text.contacted, text.qualified, text.negotiating]
  return [
    {
      id: 'name',
      title: text.name,
      sort: 'name',
      sortDirection: 'ascending',
      width: 'minmax(160px, 1fr)',
      cell: lead => lead.name,
    },
    {
      id: 'company',
      title: text.company,
      width: 'minmax(120px, 1fr)',
      phone: 'title',
      cell: lead => lead.company,
    },
    {
      id: 'status',
      title: text.status,
      width: '132px',
      phone: 'below',
      cell: lead => (
        <Status icon={stageIcons[lead.stage]!} kind={lead.stage === 3 ? 'done' : 'plain'}>
          {stages[lead.stage]}
        </Status>
      ),
    },
    {
      id: 'score',
      title: text.score,
      width: '90px',
      align: 'end',
      phone: 'below',
      cell: lead => lead.score ?? noValue,
      phoneCell: lead => (lead.score === null ? noValue : text.points(lead.score)),
    },
    {
      id: 'value',
      title: text.value,
      width: '120px',
      align: 'end',
      phone: 'end',
      sort: { ascending: 'value', descending: '-value' },
      cell: lead => <Money cents={lead.cents} currency="EUR" />,
    },
    {
      id: 'touched',
      title: text.touched,
      width: '96px',
      align: 'end',
      phone: 'belowEnd',
      sort: 'touched',
      cell: lead => <Time value={lead.at} />,
    },
  ]
}
const columns = { es: columnsOf('es'), en: columnsOf('en') }
const keyOf = (lead: Lead) => lead.id
const nameOf = (lead: Lead) => lead.name
const hrefOf = (lead: Lead) => `#${lead.id}`

function Long() {
  const text = useWords(texts)
  const language = useLanguage()
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set(['lead-1', 'lead-3']))
  const [current, setCurrent] = useState<string | undefined>('lead-0')
  const [sort, setSort] = useState('touched')
  const [newCount, setNewCount] = useState(3)
  return (
    <Grid
      label={text.leads}
      columns={columns[language]}
      rows={leads}
      rowKey={keyOf}
      rowLabel={nameOf}
      rowHref={hrefOf}
      onOpen={lead => setCurrent(lead.id)}
      current={current}
      sort={sort}
      onSort={setSort}
      selection={selection}
      onSelect={setSelection}
      total={10_000}
      newCount={newCount}
      onShowNew={() => setNewCount(0)}
      rowMenu={lead => [
        { id: 'open', label: text.open, shortcut: 'enter', onAction: () => setCurrent(lead.id) },
        { id: 'erase', label: text.erase, icon: 'trash', isDangerous: true },
      ]}
    />
  )
}

function Short() {
  const text = useWords(texts)
  const language = useLanguage()
  const [count, setCount] = useState(5)
  return (
    <Grid
      label={`${text.leads}, ${count}`}
      height="content"
      columns={columns[language]}
      rows={leads.slice(0, count)}
      rowKey={keyOf}
      rowHref={hrefOf}
      hasMore={count < 15}
      loadMore={() => setCount(count + 5)}
    />
  )
}

function GridStates() {
  const text = useWords(texts)
  const columnsInLanguage = columns[useLanguage()]
  const usual = { label: text.leads, columns: columnsInLanguage, rows: [], rowKey: keyOf }
  return (
    <>
      <State title="10.000 rows, selection, menu, order, new rows" isFramed>
        <Long />
      </State>
      <State title="Short, loads more">
        <div className={styles.wide}>
          <Short />
        </div>
      </State>
      <State title="Loading" isFramed>
        <Grid {...usual} isLoading />
      </State>
      <State title="Empty" isFramed>
        <Grid
          {...usual}
          empty={<Empty title={text.none} action={<Button icon="plus">{text.create}</Button>} />}
        />
      </State>
      <State title="Failed" isFramed>
        <Grid
          {...usual}
          error={<Problem title={text.failed} action={<Button icon="retry">{text.retry}</Button>} />}
        />
      </State>
    </>
  )
}

export const gridChapters: readonly Chapter[] = [{ id: 'grid', title: 'Grid', Content: GridStates }]
