import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type InboxItem, listInbox, markInboxDone } from '#contract/identity/inbox.ts'
import { readOverview } from '#contract/identity/overview.ts'
import { textOfError } from '../data/errors.ts'
import { useAction, useRead } from '../data/read.ts'
import { useShortcuts } from '../data/shortcuts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import styles from './inbox.module.css'
import { inboxTexts } from './inbox.words.ts'
import { InboxEntry, useItemHref } from './inbox-entry.tsx'

/** The things that concern the person, newest first. `j` and `k` move, Enter opens, `e` marks as done. */
export function Inbox() {
  const text = useWords(inboxTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const hrefOf = useItemHref()
  const inbox = useRead(listInbox)
  const [current, setCurrent] = useState(0)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const done = useAction(markInboxDone, { refreshes: [listInbox, readOverview] })
  const items = inbox.data?.items.filter(({ id }) => !hidden.has(id)) ?? []
  const at = Math.min(current, items.length - 1)

  /** Hides the items at once; they come back if the server refuses. */
  function finish(finished: readonly InboxItem[], body: { itemId: string } | { until: string }): void {
    const ids = finished.map(({ id }) => id)
    setHidden(new Set([...hidden, ...ids]))
    done.mutate(
      { body },
      {
        onError: () => setHidden(former => new Set([...former].filter(id => !ids.includes(id)))),
        toastsFailure: true,
      },
    )
  }
  function move(step: number): void {
    const next = Math.max(0, Math.min(items.length - 1, at + step))
    setCurrent(next)
    document.getElementById(`inbox-${items[next]?.id}`)?.focus()
  }
  function openItem(opened: InboxItem): void {
    const to = hrefOf(opened)
    if (to !== undefined) void navigate({ to })
  }
  const item = items[at]
  const href = item && hrefOf(item)
  useShortcuts(
    {
      j: { label: text.next, action: () => move(1) },
      k: { label: text.previous, action: () => move(-1) },
      e: item && { label: text.done, action: () => finish([item], { itemId: item.id }) },
      o: item && href !== undefined ? { label: text.open, action: () => openItem(item) } : undefined,
    },
    text.title,
  )

  const newest = items[0]
  return (
    <Page
      title={text.title}
      width="full"
      actions={newest && <Button onPress={() => finish(items, { until: newest.at })}>{text.allDone}</Button>}
    >
      {inbox.isPending && <Skeleton label={text.reading} />}
      {inbox.error && <Problem title={textOfError(inbox.error, language)} />}
      {inbox.data && items.length === 0 && <Empty title={text.empty}>{text.emptyAbout}</Empty>}
      <ul className={styles.items}>
        {items.map((entry, position) => (
          <li
            key={entry.id}
            id={`inbox-${entry.id}`}
            tabIndex={-1}
            className={`${styles.item} ${position === at ? styles.current : ''}`}
            onFocus={() => setCurrent(position)}
            onKeyDown={event => {
              // Enter on a link or button of the item presses that
              if (event.key === 'Enter' && event.target === event.currentTarget) openItem(entry)
            }}
          >
            <InboxEntry item={entry} />
            <IconButton
              icon="check"
              label={text.done}
              shortcut="e"
              onPress={() => finish([entry], { itemId: entry.id })}
            />
          </li>
        ))}
      </ul>
    </Page>
  )
}
