import { Component, createRef, type ReactNode } from 'react'

/** Where a person reads: at the end, or at a row and its distance from the top. */
export type Place = { atEnd: true } | { atEnd: false; rows: readonly { key: string; top: number }[] }

type KeepPlaceProps = {
  className: string | undefined
  /** False while newer messages exist that were not read: then the bottom is not the end. */
  mayFollow: boolean
  /** Called when the place has changed: by scrolling, or by what was added. */
  onPlace: (place: Place) => void
  children: ReactNode
}

/** Near enough to the end to follow it. */
const nearPx = 24

/**
 * Keeps the line under the eye where it is, whatever is added, removed or grows above it; follows the end only when it is
 * there. Its parent scrolls; the rows are its elements with `data-row`. A class, because only `getSnapshotBeforeUpdate` sees the page as it
 * is just before a change.
 */
export class KeepPlace extends Component<KeepPlaceProps> {
  private readonly content = createRef<HTMLDivElement>()
  private place: Place = { atEnd: true }
  private observer: ResizeObserver | undefined
  private scroller: HTMLElement | null = null
  /** The place of the last change is held until the person scrolls. */
  private isHeld = false

  override componentDidMount(): void {
    // the parts of a parent are not known yet when its children are there
    this.scroller = this.content.current?.parentElement ?? null
    this.scroller?.addEventListener('scroll', this.onScroll, { passive: true })
    // pictures, fonts and Markdown change heights later; a growing field makes the log lower
    this.observer = new ResizeObserver(() => this.restore(this.place))
    if (this.content.current) this.observer.observe(this.content.current)
    if (this.scroller) this.observer.observe(this.scroller)
    this.restore(this.place)
  }
  override componentWillUnmount(): void {
    this.scroller?.removeEventListener('scroll', this.onScroll)
    this.observer?.disconnect()
  }
  override getSnapshotBeforeUpdate(): Place {
    return this.isHeld ? this.place : this.measured()
  }
  override componentDidUpdate(_props: KeepPlaceProps, _state: unknown, snapshot: Place): void {
    this.restore(snapshot)
    this.report()
  }

  /** Brings a row into view: a third from the top. False if it is not there. */
  show(key: string): boolean {
    const row = this.rowOf(key)
    if (!row || !this.scroller) return false
    this.place = { atEnd: false, rows: [{ key, top: Math.round(this.scroller.clientHeight / 4) }] }
    this.isHeld = true
    this.restore(this.place)
    // all that follows is seen: what comes next is followed
    const now = this.measured()
    if (now.atEnd) this.place = now
    this.report()
    return true
  }
  showEnd(): void {
    this.place = { atEnd: true }
    this.isHeld = true
    this.restore(this.place)
    this.report()
  }

  private readonly onScroll = () => {
    const { scroller } = this
    if (!scroller) return
    const measured = this.measured()
    // the event of a movement of our own comes later, and says nothing new
    if (this.isHeld && isSame(measured, this.place, key => this.topOf(key))) return
    this.isHeld = false
    this.place = measured
    this.report()
  }
  /** Says again where the person is. */
  report(): void {
    this.props.onPlace(this.place)
  }
  private rowOf(key: string): HTMLElement | null {
    return this.content.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null
  }
  private topOf(key: string): number | undefined {
    const row = this.rowOf(key)
    if (!row || !this.scroller) return undefined
    return row.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top
  }
  private measured(): Place {
    const { scroller, content } = this
    if (!scroller || !content.current) return this.place
    const rest = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
    if (rest <= nearPx && this.props.mayFollow) return { atEnd: true }
    const frame = scroller.getBoundingClientRect()
    const rows = [...content.current.querySelectorAll<HTMLElement>('[data-row]')].flatMap(row => {
      const { top, bottom } = row.getBoundingClientRect()
      const isShown = bottom > frame.top && top < frame.bottom
      return isShown ? [{ key: row.dataset.row ?? '', top: top - frame.top }] : []
    })
    return { atEnd: false, rows }
  }
  private restore(place: Place): void {
    const { scroller } = this
    this.place = place
    if (!scroller) return
    if (place.atEnd) {
      scroller.scrollTop = scroller.scrollHeight
      return
    }
    // of the rows that were seen, the first one that is still there
    for (const { key, top } of place.rows) {
      const now = this.topOf(key)
      if (now === undefined) continue
      if (Math.abs(now - top) >= 1) scroller.scrollTop += now - top
      return
    }
  }

  override render(): ReactNode {
    return (
      <div ref={this.content} className={this.props.className}>
        {this.props.children}
      </div>
    )
  }
}

function isSame(one: Place, other: Place, topOf: (key: string) => number | undefined): boolean {
  if (one.atEnd || other.atEnd) return one.atEnd === other.atEnd
  const [first] = other.rows
  const now = first && topOf(first.key)
  return first !== undefined && now !== undefined && Math.abs(now - first.top) < 2
}
