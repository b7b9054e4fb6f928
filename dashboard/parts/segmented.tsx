import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import styles from './segmented.module.css'

export type Segment<Value extends string> = { value: Value; label: string; icon?: IconName }

/** Switches between a few views, such as table and board. A segment with an icon shows its label to screen readers alone. */
export function Segmented<Value extends string>({
  label,
  segments,
  value,
  onChange,
}: {
  label: string
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={keys => onChange([...keys][0] as Value)}
      className={styles.group}
    >
      {segments.map(segment => (
        <ToggleButton
          key={segment.value}
          id={segment.value}
          className={styles.segment}
          {...(segment.icon && { 'aria-label': segment.label })}
        >
          {segment.icon ? <Icon name={segment.icon} /> : segment.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
