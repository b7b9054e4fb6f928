import { useState } from 'react'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { Id } from '../parts/id.tsx'
import { LocalTabs } from '../parts/local-tabs.tsx'
import { Money } from '../parts/money.tsx'
import { Person } from '../parts/person.tsx'
import { Secret } from '../parts/secret.tsx'
import { Rating, Stars, StarsField } from '../parts/stars.tsx'
import { Status, Tag, Tags } from '../parts/status.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Time } from '../parts/time.tsx'
import { Total } from '../parts/total.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './book.module.css'
import { type Chapter, State } from './chapter.tsx'

const texts = words({
  es: {
    rating: 'Valoración',
    owner: 'Propietaria',
    email: 'Correo',
    tags: 'Etiquetas',
    history: 'Historial',
    assets: 'Recursos',
    failed: 'Fallida',
    waiting: 'En espera',
    paid: 'Pagada',
    newOne: 'Nueva',
    key: 'Clave de API',
    waits: 'Te espera',
    sentence: 'La más antigua, Bodegas Luzón, desde hace 41 días',
    lead: 'Lead',
    quiet: 'Archivada',
  },
  en: {
    rating: 'Rating',
    owner: 'Owner',
    email: 'E-mail',
    tags: 'Tags',
    history: 'History',
    assets: 'Assets',
    failed: 'Failed',
    waiting: 'Waiting',
    paid: 'Paid',
    newOne: 'New',
    key: 'API key',
    waits: 'Waits for you',
    sentence: 'The oldest, Bodegas Luzón, for 41 days',
    lead: 'Lead',
    quiet: 'Archived',
  },
})

const minuteMs = 60_000
function Times() {
  const now = performance.timeOrigin + performance.now()
  const past = [0, 2, 59, 300, 3_000, 100_000, 1_000_000].map(minutes => now - minutes * minuteMs)
  return (
    <>
      <State title="Relative">
        {past.map(time => (
          <Time key={time} value={time} />
        ))}
        <Time value={now + 5 * minuteMs} />
      </State>
      <State title="Day, moment, with the exact time on focus">
        <Time value="2026-12-03" />
        <Time value="2026-11-22T11:48:16Z" form="date" />
        <Time value="2026-11-22T11:48:16Z" form="moment" isFocusable />
      </State>
    </>
  )
}

function Amounts() {
  return (
    <State title="Usual, great, bare, negative, other currencies">
      <Money cents={153_670} currency="EUR" />
      <Money cents={2_431_845} currency="EUR" form="great" />
      <Money cents={42_000} currency="EUR" form="bare" />
      <Money cents={-1_250} currency="EUR" />
      <Money cents={1_500_000} currency="JPY" />
      <Money cents={990} currency="USD" />
    </State>
  )
}

function People() {
  return (
    <State title="Person, application, large">
      <Person name="Miren Aguirre" />
      <Person name="Support desk" kind="application" about="APP" />
      <Person name="Ana Belén Soto" size="large" />
    </State>
  )
}

function Statuses() {
  const text = useWords(texts)
  return (
    <>
      <State title="Status">
        <Status icon="dashed">{text.newOne}</Status>
        <Status icon="clock" kind="warn">
          {text.waiting}
        </Status>
        <Status icon="failed" kind="danger">
          {text.failed}
        </Status>
        <Status icon="done" kind="done">
          {text.paid}
        </Status>
        <Status icon="info" kind="info">
          {text.newOne}
        </Status>
        <Status icon="blocked" kind="quiet">
          {text.quiet}
        </Status>
      </State>
      <State title="Tag">
        <Tags>
          <Tag>Barcelona</Tag>
          <Tag kind="danger" icon="failed">
            {text.failed}
          </Tag>
          <Tag kind="warn" icon="clock">
            {text.waiting}
          </Tag>
          <Tag kind="done" icon="done">
            {text.paid}
          </Tag>
          <Tag kind="info">{text.newOne}</Tag>
        </Tags>
      </State>
      <State title="Total">
        <Total count={128} isLive />
        <Total count={10_000} />
      </State>
    </>
  )
}

function Details() {
  const text = useWords(texts)
  return (
    <>
      <State title="Facts, with an identifier">
        <Facts
          facts={[
            { term: text.owner, value: <Person name="Miren Aguirre" /> },
            { term: text.email, value: 'sara@vitrina.example' },
            { term: 'Id', value: <Id value="0199b7f2-6c1e-7a52-9d1e-3f0e6a2b4c8d" /> },
            { term: 'Id, short', value: <Id value="0199b7f2-6c1e-7a52-9d1e-3f0e6a2b4c8d" isShortened /> },
            {
              term: text.tags,
              value: (
                <Tags>
                  <Tag>retail</Tag>
                  <Tag>rebrand</Tag>
                </Tags>
              ),
            },
            { term: 'Empty', value: '' },
          ]}
        />
      </State>
      <State title="Secret">
        <div className={styles.column}>
          <Secret label={text.key} value="pat_live_4f8kLm2QxR7vYc9TzB3nHw6JpS1dGa5eUo0i" fileName="key.txt" />
        </div>
      </State>
    </>
  )
}

function TabStates() {
  const text = useWords(texts)
  return (
    <>
      <State title="Links">
        <div className={styles.wide}>
          <Tabs
            label={text.lead}
            current="history"
            tabs={[
              { id: 'history', title: text.history, href: '#history' },
              { id: 'assets', title: text.assets, href: '#assets', count: 2 },
            ]}
          />
        </div>
      </State>
      <State title="More than fit">
        <div className={styles.wide}>
          <Tabs
            label={`${text.lead} 3`}
            current="t12"
            tabs={Array.from({ length: 12 }, (_, at) => ({
              id: `t${at + 1}`,
              title: `${text.history} ${at + 1}`,
              href: `/book?part=tabs&tab=${at + 1}`,
            }))}
          />
        </div>
      </State>
      <State title="Local">
        <div className={styles.wide}>
          <LocalTabs
            label={`${text.lead} 2`}
            tabs={[
              { id: 'history', title: text.history, content: text.sentence },
              { id: 'assets', title: text.assets, count: 2, content: text.assets },
            ]}
          />
        </div>
      </State>
      <State title="Card">
        <div className={styles.cards}>
          <Card title={text.waits} beside={<Tag>3</Tag>} level={3}>
            {text.sentence}
          </Card>
          <Card title={text.assets} level={3}>
            <Money cents={911_435} currency="EUR" form="great" />
          </Card>
        </div>
      </State>
    </>
  )
}

function Ratings() {
  const text = useWords(texts)
  const [rating, setRating] = useState<number | null>(null)
  return (
    <>
      <State title="Stars">
        <Stars rating={4} />
      </State>
      <State title="Rating">
        <Rating average={4.25} count={12} />
        <Rating average={null} count={0} />
      </State>
      <State title="StarsField">
        <StarsField label={text.rating} value={rating} onChange={setRating} />
      </State>
    </>
  )
}

export const valueChapters: readonly Chapter[] = [
  { id: 'stars', title: 'Stars, Rating, StarsField', Content: Ratings },
  { id: 'time', title: 'Time', Content: Times },
  { id: 'money', title: 'Money', Content: Amounts },
  { id: 'person', title: 'Person', Content: People },
  { id: 'status', title: 'Status, Tag, Total', Content: Statuses },
  { id: 'facts', title: 'Facts, Id, Secret', Content: Details },
  { id: 'tabs', title: 'Tabs, Card', Content: TabStates },
]
