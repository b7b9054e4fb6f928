import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './sidebar.module.css'

const loadAfterMs = 1_000

/**
 * A menu whose script is not needed for the first screen: it is loaded a second after the page, or when
 * somebody points at its button. Until then it shows a plain button, and a press opens the menu once it is
 * loaded.
 */
export function LateMenu<Props extends object>({
  load,
  menuProps,
  className,
  label,
  children,
}: {
  load: () => Promise<ComponentType<Props>>
  menuProps: Props
  className: string | undefined
  label: string
  /** The content of the button meanwhile. */
  children: ReactNode
}) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>()
  const place = useRef<HTMLDivElement>(null)
  const before = useRef({ isPressed: false, hasFocus: false })

  async function start(): Promise<void> {
    const component = await load()
    before.current.hasFocus = place.current?.contains(document.activeElement) ?? false
    setLoaded(() => component)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once
  useEffect(() => {
    const timer = setTimeout(() => void start(), loadAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!Loaded) return
    const button = place.current?.querySelector('button')
    if (before.current.hasFocus) button?.focus()
    if (before.current.isPressed) button?.click()
  }, [Loaded])

  function press(): void {
    before.current.isPressed = true
    void start()
  }
  return (
    <div ref={place} className={styles.place}>
      {Loaded ? (
        <Loaded {...menuProps} />
      ) : (
        <button
          type="button"
          aria-haspopup="menu"
          aria-label={label}
          className={className}
          onClick={press}
          onPointerEnter={() => void start()}
        >
          {children}
        </button>
      )}
    </div>
  )
}
