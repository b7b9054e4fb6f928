import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { FilterBar, type FilterField, type Filters } from '../parts/filter-bar.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { MovableTree } from '../parts/movable-tree.tsx'
import { Progress } from '../parts/progress.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { Selection } from '../parts/selection.tsx'
import { Sheet, SheetSection, WithSheet } from '../parts/sheet.tsx'
import { Steps, Timeline } from '../parts/timeline.tsx'
import { Total } from '../parts/total.tsx'
import { Tree } from '../parts/tree.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    status: 'estado',
    owner: 'responsable',
    open: 'abierto',
    won: 'ganado',
    me: 'yo',
    search: 'Buscar leads',
    newLead: 'Nuevo lead',
    view: 'Vista',
    table: 'Tabla',
    board: 'Tablero',
    change: 'Estado',
    give: 'Responsable',
    history: 'Historial',
    offer: 'Oferta enviada',
    moved: 'Pasó a En negociación',
    failed: 'El correo no llegó',
    created: 'Creado por Formularios',
    convert: 'Convertir',
    about: 'Directora de marca, Vitrina',
    note: 'Añadir nota',
    folders: 'Colecciones',
    all: 'Todo',
    brand: 'Marca',
    tone: 'Tono',
    support: 'Soporte',
    openSheet: 'Abrir Sara Vidal',
    way: 'Estado de la factura',
    issued: 'Emitida',
    sent: 'Enviada',
    charge: 'Cobrar',
    paid: 'Pagada',
    from: 'Desde hoy',
    importing: 'Importando leads.csv',
    of: '120 de 500',
    reading: 'Leyendo',
  },
  en: {
    status: 'status',
    owner: 'owner',
    open: 'open',
    won: 'won',
    me: 'me',
    search: 'Search leads',
    newLead: 'New lead',
    view: 'View',
    table: 'Table',
    board: 'Board',
    change: 'Status',
    give: 'Owner',
    history: 'History',
    offer: 'Offer sent',
    moved: 'Moved to Negotiating',
    failed: 'The mail did not arrive',
    created: 'Created by Web forms',
    convert: 'Convert',
    about: 'Head of brand, Vitrina',
    note: 'Add note',
    folders: 'Collections',
    all: 'Everything',
    brand: 'Brand',
    tone: 'Tone',
    support: 'Support',
    openSheet: 'Open Sara Vidal',
    way: 'State of the invoice',
    issued: 'Issued',
    sent: 'Sent',
    charge: 'Charge',
    paid: 'Paid',
    from: 'From today',
    importing: 'Importing leads.csv',
    of: '120 of 500',
    reading: 'Reading',
  },
})

function FilterStates() {
  const text = useWords(texts)
  const [filters, setFilters] = useState<Filters>({ status: 'OPEN', owner: 'me' })
  const [search, setSearch] = useState('')
  const [count, setCount] = useState(2)
  const fields: FilterField[] = [
    {
      id: 'status',
      label: text.status,
      values: [
        { value: 'OPEN', label: text.open },
        { value: 'WON', label: text.won },
      ],
    },
    { id: 'owner', label: text.owner, values: [{ value: 'me', label: text.me }] },
    { id: 'source', label: 'source', values: [{ value: 'FORM', label: 'form' }] },
  ]
  return (
    <>
      <State title="FilterBar, SearchField, Segmented, Total">
        <div className={styles.wide}>
          <FilterBar
            fields={fields}
            filters={filters}
            onChange={setFilters}
            start={<SearchField label={text.search} value={search} onChange={setSearch} />}
            end={
              <>
                <Total count={128} isLive />
                <Segmented
                  label={text.view}
                  segments={[
                    { id: 'table', label: text.table, icon: 'table', href: '#table' },
                    { id: 'board', label: text.board, icon: 'board', href: '#board' },
                  ]}
                  current="table"
                />
                <Button icon="plus" shortcut="c">
                  {text.newLead}
                </Button>
              </>
            }
          />
        </div>
      </State>
      <State title="Selection" isFramed="low">
        <Selection count={count} onClear={() => setCount(0)}>
          <Button kind="quiet" shortcut="s">
            {text.change}
          </Button>
          <Button kind="quiet" shortcut="a">
            {text.give}
          </Button>
        </Selection>
      </State>
      <State title="LoadMore">
        <LoadMore hasMore isLoadingMore={false} loadMore={() => {}} shown={50} total={12_400} />
        <LoadMore hasMore isLoadingMore loadMore={() => {}} />
      </State>
      <State title="Progress">
        <div className={styles.column}>
          <Progress label={text.importing} value={0.24} about={text.of} />
          <Progress label={text.reading} />
        </div>
      </State>
    </>
  )
}

function SheetStates() {
  const text = useWords(texts)
  const [at, setAt] = useState<number>()
  return (
    <State title="Sheet" isFramed>
      <WithSheet
        sheet={
          at !== undefined && (
            <Sheet
              // each row has a sheet of its own, as when one that is read follows one that waits for the reply
              key={at}
              title="Sara Vidal"
              about={text.about}
              position={`${at + 1} / 3`}
              actions={
                <Button kind="primary" shortcut="v">
                  {text.convert}
                </Button>
              }
              onClose={() => setAt(undefined)}
              onPrevious={at > 0 ? () => setAt(at - 1) : undefined}
              onNext={at < 2 ? () => setAt(at + 1) : undefined}
              pageHref="#page"
              footer={<Button>{text.note}</Button>}
            >
              <SheetSection>
                <History />
              </SheetSection>
            </Sheet>
          )
        }
      >
        <div className={styles.padded}>
          <Button onPress={() => setAt(0)}>{text.openSheet}</Button>
        </div>
      </WithSheet>
    </State>
  )
}

function History() {
  const text = useWords(texts)
  return (
    <Timeline
      label={text.history}
      events={[
        { id: '1', icon: 'mail', at: '2026-11-23T06:50:00Z', content: text.offer },
        { id: '2', icon: 'failed', kind: 'danger', at: '2026-11-22T09:31:00Z', content: text.failed },
        { id: '3', icon: 'half', kind: 'done', at: '2026-11-16T09:31:00Z', content: text.moved },
        { id: '4', icon: 'dashed', at: '2026-11-03T09:31:00Z', content: text.created },
      ]}
    />
  )
}

function TimeStates() {
  const text = useWords(texts)
  return (
    <>
      <State title="Timeline">
        <div className={styles.column}>
          <History />
        </div>
      </State>
      <State title="Steps">
        <Steps
          label={text.way}
          steps={[
            { id: '1', title: text.issued, state: 'done', about: '19 nov' },
            { id: '2', title: text.sent, state: 'done', about: '19 nov' },
            { id: '3', title: text.charge, state: 'next', about: text.from },
            { id: '4', title: text.paid, state: 'later' },
          ]}
        />
      </State>
    </>
  )
}

function TreeStates() {
  const text = useWords(texts)
  const nodes = [
    {
      id: 'brand',
      label: text.brand,
      icon: 'collections' as const,
      count: 12,
      children: [{ id: 'tone', label: text.tone, icon: 'collections' as const, count: 3 }],
    },
    { id: 'support', label: text.support, icon: 'collections' as const, count: 7 },
  ]
  return (
    <>
      <State title="Tree">
        <div className={styles.column}>
          <Tree label={text.folders} current="tone" onOpen={() => {}} nodes={nodes} />
        </div>
      </State>
      <State title="MovableTree">
        <div className={styles.column}>
          <MovableTree
            label={text.all}
            nodes={nodes}
            menuOf={() => [{ id: 'open', label: text.open, onAction: () => {} }]}
            canMove={() => true}
            onMove={() => {}}
          />
        </div>
      </State>
    </>
  )
}

export const listChapters: readonly Chapter[] = [
  { id: 'filters', title: 'FilterBar, Selection, Progress', Content: FilterStates },
  { id: 'sheet', title: 'Sheet', Content: SheetStates },
  { id: 'timeline', title: 'Timeline, Steps', Content: TimeStates },
  { id: 'tree', title: 'Tree, MovableTree', Content: TreeStates },
]
