import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** The button of a screen that opens the dialog for something new, which is loaded as soon as the button is pointed at or focused. */
export function CreateButton({
  isSecondary = false,
  isShortOnPhone = false,
  dialog: { preload },
  onPress,
  children,
}: {
  /** Whether something else on the screen comes first, such as an open sheet. */
  isSecondary?: boolean
  /** Whether the title of the screen would have no room beside its words. */
  isShortOnPhone?: boolean
  dialog: { preload: () => void }
  onPress: () => void
  children: ReactNode
}) {
  return (
    <Button
      kind={isSecondary ? 'secondary' : 'primary'}
      icon="plus"
      shortcut="c"
      isShortOnPhone={isShortOnPhone}
      onPress={onPress}
      onHoverStart={preload}
      onFocus={preload}
    >
      {children}
    </Button>
  )
}
