import { Link } from '@tanstack/react-router'
import type { InboxItem } from '#contract/identity/inbox.ts'
import { useKnownHref } from '../data/known-href.ts'
import { linkTo } from '../data/link-to.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { useWords } from '../words/words.ts'
import { inboxTexts } from './inbox.words.ts'
import styles from './inbox-entry.module.css'
import { subjectOf } from './subject.ts'

const icons: Readonly<Record<InboxItem['kind'], IconName>> = {
  MENTION: 'mention',
  AGENT_PROPOSED: 'lightning',
  LEAD_ASSIGNED: 'leads',
  BUDGET_SIGNED: 'done',
  BUDGET_DECLINED: 'failed',
  CHARGE_FAILED: 'failed',
  WEBHOOK_PAUSED: 'errors',
}

/** One item of the inbox: who did what, and when. It links to its subject where there is a screen for it. */
export function InboxEntry({ item }: { item: InboxItem }) {
  const text = useWords(inboxTexts)
  const href = useItemHref()(item)
  const { kind, actorName, title, detail, at } = item
  const content = (
    <>
      <Icon name={icons[kind]} className={styles[kind] ?? ''} />
      <span className={styles.words}>
        <span className={styles.what}>{text[kind](actorName ?? text.somebody, title ?? '')}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      <span className={styles.time}>
        <Time value={at} />
      </span>
    </>
  )
  return href === undefined ? (
    <div className={styles.entry}>{content}</div>
  ) : (
    <Link {...linkTo(href)} className={styles.entry}>
      {content}
    </Link>
  )
}

/** The URL of the subject of an item; undefined if there is no screen for it. */
export function useItemHref(): (item: InboxItem) => string | undefined {
  const hrefOf = useKnownHref()
  return item => {
    const { route, search, params } = subjectOf(item)
    return hrefOf(route, search, params)
  }
}
