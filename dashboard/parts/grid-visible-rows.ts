import {
  defaultRangeExtractor,
  elementScroll,
  type Rect,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'

/** Reports the size of the list whenever the browser has laid it out. To read it at once would lay the list out twice. */
function observeSize(
  { scrollElement }: Virtualizer<HTMLDivElement, HTMLDivElement>,
  report: (size: Rect) => void,
): () => void {
  if (!scrollElement) return () => {}
  const observer = new ResizeObserver(() =>
    report({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }),
  )
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

/**
 * The rows of a grid that the document contains: those in view, and the active one. All rows have the height of `ruler`, an
 * element of the grid; `place` is the ref of each row.
 */
export function useVisibleRows({
  scroller,
  keys,
  activeIndex,
  headHeight,
}: {
  scroller: RefObject<HTMLDivElement | null>
  keys: readonly string[]
  activeIndex: number
  /** The pixels that the head covers while rows scroll below it. */
  headHeight: number
}) {
  const ruler = useRef<HTMLDivElement>(null)
  const rowHeight = useRef(36)
  const hasAppeared = useRef(false)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight.current,
    // all rows are equally high: to measure each would make the browser lay out the list in between
    measureElement: () => rowHeight.current,
    getItemKey: index => keys[index] ?? index,
    overscan: 8,
    // until the height of the list is known, the rows of a whole window: the first paint has them
    initialRect: { width: innerWidth, height: innerHeight },
    observeElementRect: observeSize,
    // a list that appears is at its top: to scroll it there would make the browser lay it out once more
    scrollToFn: (offset, options, instance) => {
      if (hasAppeared.current) elementScroll(offset, options, instance)
    },
    // the row with the focus stays in the document
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      if (activeIndex >= keys.length || indexes.includes(activeIndex)) return indexes
      return [...indexes, activeIndex].sort((a, b) => a - b)
    },
    scrollPaddingStart: headHeight,
    directDomUpdates: true,
  })
  useEffect(() => {
    hasAppeared.current = true
  }, [])
  // the density of the lists sets the height of the ruler
  useLayoutEffect(() => {
    const element = ruler.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientHeight } = element
      if (clientHeight === rowHeight.current) return
      rowHeight.current = clientHeight
      virtualizer.measure()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [virtualizer])
  const place = useCallback(
    (element: HTMLElement | null) => virtualizer.measureElement(element as HTMLDivElement),
    [virtualizer],
  )
  return { virtualizer, ruler, place }
}
