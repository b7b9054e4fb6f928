import { createContext, type ReactNode, type RefObject, useRef } from 'react'
import styles from './sheet.module.css'

/** The element that had the focus before a sheet opened beside the list. Another sheet may replace that of a row that is being read. */
export const SheetOpenerContext = createContext<RefObject<Element | null> | undefined>(undefined)

/** A list with the sheet of its open row beside it, or over it where there is little room. */
export function WithSheet({ sheet, children }: { sheet: ReactNode; children: ReactNode }) {
  const opener = useRef<Element>(null)
  return (
    <SheetOpenerContext value={opener}>
      <div className={`${styles.layout} ${sheet ? styles.open : ''}`}>
        <div className={styles.list}>{children}</div>
        {sheet}
      </div>
    </SheetOpenerContext>
  )
}
