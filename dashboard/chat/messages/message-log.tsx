import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { useWords } from '../../words/words.ts'
import type { Names } from './chat-text.rules.ts'
import { KeepPlace, type Place } from './keep-place.tsx'
import styles from './log.module.css'
import { DayLine, NewLine, RepliesLine } from './log-lines.tsx'
import { type LogRow, logRowsOf } from './log-rows.rules.ts'
import { type MessageActions, MessageRow } from './message.tsx'
import { messageTexts } from './message.words.ts'
import { useArrivals } from './use-arrivals.ts'
import type { Messages } from './use-messages.ts'

/** Messages are read before a person reaches the edge. */
const aheadPx = 800
/** So near to the end, a button that leads there is in the way. */
const nearPx = 100

export type MessageLogProps = {
  messages: Messages
  names: Names
  actions: MessageActions
  isThread?: boolean
  /** Where the log begins: `end`, `new` for the line of new messages, or a message; undefined until it is known. */
  startAt: string | undefined
  newAfter?: number | undefined
  highlighted?: string | undefined
  editing: string | undefined
  /** The messages that are being sent. */
  pending: ReactNode
  onSeen?: (seq: number) => void
  onMissed?: () => void
  /** Shows what a reply is about, above the replies. */
  children?: ReactNode
}

/** The messages of a channel or thread. It follows the end only when it is there, and reads older ones without a jump. */
export function MessageLog(props: MessageLogProps) {
  const { messages, names, actions, isThread = false, startAt, newAfter, highlighted, editing } = props
  const text = useWords(messageTexts)
  const { items, hasOlder, hasNewer, isLoading, isLoadingOlder, store } = messages
  const scroller = useRef<HTMLDivElement>(null)
  const keeper = useRef<KeepPlace>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [focused, setFocused] = useState<string>()
  const rows = useMemo(() => logRowsOf(items, { newAfter, isThread }), [items, newAfter, isThread])
  const arrivals = useArrivals(messages, names.ownId, isAtEnd && !hasNewer, props.onMissed)

  const latest = useRef(props)
  const seqs = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    latest.current = props
    seqs.current = new Map(rows.flatMap(row => ('seq' in row ? [[row.key, row.seq] as const] : [])))
  })
  const onPlace = useCallback((place: Place) => {
    const { messages: now, onSeen } = latest.current
    const element = scroller.current
    if (!element || now.isLoading) return
    const last = place.atEnd
      ? now.items.at(-1)?.seq
      : place.rows.map(({ key }) => seqs.current.get(key)).findLast(seq => seq !== undefined)
    if (last !== undefined) onSeen?.(last)
    if (element.scrollTop < aheadPx) void now.store.loadOlder()
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight
    setAtEnd(place.atEnd || (rest < nearPx && !now.hasNewer))
    if (rest < aheadPx && now.hasNewer) void now.store.loadNewer()
  }, [])
  useEffect(() => {
    // what arrived while the page was hidden is seen when the person is back
    const onShown = () => keeper.current?.report()
    document.addEventListener('visibilitychange', onShown)
    return () => document.removeEventListener('visibilitychange', onShown)
  }, [])

  useStart({ scroller, keeper, rows, startAt, isLoading })
  const allActions = useMemo(() => ({ ...actions, focus: setFocused }), [actions])
  const stop = focused && rows.some(({ key }) => key === focused) ? focused : rows.at(-1)?.key

  function toEnd(): void {
    if (hasNewer) void store.open().then(() => keeper.current?.showEnd())
    else keeper.current?.showEnd()
  }
  return (
    <div className={`${styles.frame} ${isThread ? styles.inThread : ''}`}>
      <div
        ref={scroller}
        className={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={isThread ? text.replies : text.messages}
        aria-busy={isLoadingOlder}
      >
        <KeepPlace ref={keeper} className={styles.content} mayFollow={!hasNewer} onPlace={onPlace}>
          {props.children}
          <div className={styles.log}>
            {hasOlder ? (
              <div className={styles.more}>{isLoadingOlder && text.reading}</div>
            ) : (
              !isThread && <p className={styles.beginning}>{text.beginning}</p>
            )}
            {rows.map(row => {
              if (row.kind === 'day') return <DayLine key={row.key} rowKey={row.key} time={row.time} />
              if (row.kind === 'new') return <NewLine key={row.key} />
              if (row.kind === 'replies')
                return <RepliesLine key={row.key} row={row} names={names} onOpen={actions.openThread} />
              return (
                <MessageRow
                  key={row.key}
                  message={row.message}
                  isContinued={row.isContinued}
                  isInThread={isThread}
                  isEditing={editing === row.key}
                  isHighlighted={highlighted === row.key}
                  isTabStop={stop === row.key}
                  names={names}
                  actions={allActions}
                />
              )
            })}
            {!hasNewer && props.pending}
          </div>
        </KeepPlace>
      </div>
      {!isAtEnd && (hasNewer || arrivals.missed > 0 || items.length > 0) && (
        <button type="button" className={styles.toEnd} onClick={toEnd}>
          <Icon name="arrowDown" />
          {arrivals.missed > 0 ? text.newBelow(arrivals.missed) : text.toEnd}
        </button>
      )}
      <Spoken isLive>{arrivals.spoken}</Spoken>
    </div>
  )
}

/** Shows the place where the log begins, once its messages are there. */
function useStart({
  scroller,
  keeper,
  rows,
  startAt,
  isLoading,
}: {
  scroller: RefObject<HTMLDivElement | null>
  keeper: RefObject<KeepPlace | null>
  rows: readonly LogRow[]
  startAt: string | undefined
  isLoading: boolean
}): void {
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (isLoading || startAt === undefined || shown.current === startAt) return
    shown.current = startAt
    const key = rows.find(row => row.key === startAt || isAmong(row, startAt))?.key
    if (startAt === 'end' || !key || !keeper.current?.show(key)) keeper.current?.showEnd()
    else
      scroller.current?.querySelector<HTMLElement>(`[data-message="${key}"]`)?.focus({ preventScroll: true })
  })
}

function isAmong(row: LogRow, messageId: string): boolean {
  return row.kind === 'replies' && row.replies.some(({ id }) => id === messageId)
}
