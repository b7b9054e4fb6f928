import { Link } from '@tanstack/react-router'
import { listInbox } from '#contract/identity/inbox.ts'
import { type Overview, readOverview } from '#contract/identity/overview.ts'
import { textOfError } from '../data/errors.ts'
import { useKnownHref } from '../data/known-href.ts'
import { linkTo } from '../data/link-to.ts'
import { useOrganization } from '../data/organization.tsx'
import { useRead } from '../data/read.ts'
import { Icon } from '../parts/icon.tsx'
import { Money } from '../parts/money.tsx'
import { countText } from '../parts/number-text.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import { Due } from './due.tsx'
import styles from './home.module.css'
import { homeTexts } from './home.words.ts'
import { InboxEntry } from './inbox-entry.tsx'
import { overviewStaleMs } from './overview.ts'
import { type Waiting, waitingOf } from './waiting.ts'

/** How many items of the inbox Home shows. */
const shownItems = 6

/** The first screen: what is due, what waits for the caller, and the newest of the inbox. */
export function Home() {
  const text = useWords(homeTexts)
  const language = useLanguage()
  const overview = useRead(readOverview, undefined, { staleMs: overviewStaleMs })
  return (
    <Page title={text.title} width="full">
      <div className={styles.home}>
        <div className={styles.main}>
          {overview.isPending && <Skeleton label={text.reading} rows={8} />}
          {overview.error && <Problem title={textOfError(overview.error, language)} />}
          {overview.data && <WhatWaits overview={overview.data} />}
        </div>
        <Newest />
      </div>
    </Page>
  )
}

function WhatWaits({ overview }: { overview: Overview }) {
  const text = useWords(homeTexts)
  const { invoices } = overview
  const lines = waitingOf(overview, useOrganization().caller.person.id)
  return (
    <>
      {invoices && invoices.dueByAge.length > 0 && <Due invoices={invoices} />}
      {lines.length === 0 ? (
        <Empty title={text.nothing}>{text.nothingAbout}</Empty>
      ) : (
        <section>
          <h2 className={styles.heading}>{text.waiting}</h2>
          <ul className={styles.lines}>
            {lines.map(line => (
              <li key={line.kind}>
                <WaitingLine line={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function WaitingLine({ line }: { line: Waiting }) {
  const text = useWords(homeTexts)
  const language = useLanguage()
  const hrefOf = useKnownHref()
  const { kind, count, amounts = [], since, also } = line
  const href = hrefOf(line.route, line.search)
  const content = (
    <>
      <b className={styles.count}>{countText(count, language)}</b>
      <span className={styles.words}>
        <span className={styles.what}>{text[kind](count)}</span>
        <span className={styles.about}>
          <About kind={kind} since={since} also={also} />
        </span>
      </span>
      <span className={styles.amounts}>
        {amounts.map(({ currency, cents }) => (
          <Money key={currency} cents={cents} currency={currency} />
        ))}
      </span>
      {href !== undefined && <Icon name="chevronRight" />}
    </>
  )
  if (href === undefined) return <div className={styles.line}>{content}</div>
  return (
    <Link {...linkTo(href)} className={styles.line}>
      {content}
    </Link>
  )
}

function About({
  kind,
  since,
  also,
}: {
  kind: Waiting['kind']
  since: string | undefined
  also: number | undefined
}) {
  const text = useWords(homeTexts)
  const language = useLanguage()
  if (kind === 'overdue' && since)
    return (
      <>
        {text.overdueSince} <Time value={since} form="date" />
      </>
    )
  if (kind === 'untouched' && since)
    return (
      <>
        {text.untouchedSince} <Time value={since} form="date" />
      </>
    )
  if (kind === 'webhooks' && also) return `${countText(also, language)} ${text.failedDeliveries(also)}`
  if (kind === 'newErrors' && also) return `${countText(also, language)} ${text.unresolved(also)}`
  if (kind === 'differences') return text.differencesAbout
  if (kind === 'submissions') return text.submissionsAbout
  if (kind === 'scopeRequests') return text.scopeRequestsAbout
  if (kind === 'uninvoiced') return text.uninvoicedAbout
  if (kind === 'signed') return text.signedAbout
  if (kind === 'ending') return text.endingAbout
  if (kind === 'proposals') return text.proposalsAbout
  return null
}

/** The newest items of the inbox. */
function Newest() {
  const text = useWords(homeTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const inbox = useRead(listInbox)
  const items = inbox.data?.items.slice(0, shownItems)
  return (
    <aside className={styles.side} aria-label={text.inbox}>
      <header className={styles.sideHead}>
        <h2 className={styles.heading}>{text.inbox}</h2>
        <Link to="/o/$organization/inbox" params={{ organization: address }} className={styles.seeAll}>
          {text.seeAll}
        </Link>
      </header>
      {inbox.isPending && <Skeleton label={text.reading} rows={3} />}
      {inbox.error && <Problem title={textOfError(inbox.error, language)} />}
      {items?.length === 0 && <p className={styles.about}>{text.inboxEmpty}</p>}
      <ul>
        {items?.map(item => (
          <li key={item.id} className={styles.item}>
            <InboxEntry item={item} />
          </li>
        ))}
      </ul>
    </aside>
  )
}
