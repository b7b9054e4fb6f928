import type { KeyboardEvent } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { IconButton } from '../../parts/button.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/words.ts'
import { requestTexts } from './signature-request.words.ts'
import styles from './signature-requests.module.css'
import type { SignerRow } from './signer-rows.ts'

type SignerFieldsProps = {
  row: SignerRow
  /** The position in the list, from 0. */
  at: number
  count: number
  onChange: (row: SignerRow) => void
  onKeyDown: (event: KeyboardEvent) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** The fields of one signer, with their place among the others. */
export function SignerFields({ row, at, count, onChange, onKeyDown, onMove, onRemove }: SignerFieldsProps) {
  const text = useWords(requestTexts)
  return (
    <li className={styles.row}>
      <fieldset className={styles.fields} onKeyDown={onKeyDown}>
        <legend className={styles.legend}>{text.signer(at + 1)}</legend>
        <TextField
          name={`signers.${at}.name`}
          label={text.name}
          value={row.name}
          onChange={name => onChange({ ...row, name })}
          isRequired
          maxLength={crmLimits.signerName}
          autoComplete="off"
        />
        <TextField
          name={`signers.${at}.email`}
          type="email"
          label={text.email}
          value={row.email}
          onChange={email => onChange({ ...row, email })}
          isRequired
          maxLength={254}
          autoComplete="off"
        />
        <span className={styles.rowActions}>
          <IconButton
            icon="chevronUp"
            label={text.up}
            size="small"
            isDisabled={at === 0}
            onPress={() => onMove(-1)}
          />
          <IconButton
            icon="chevronDown"
            label={text.down}
            size="small"
            isDisabled={at === count - 1}
            onPress={() => onMove(1)}
          />
          <IconButton
            icon="trash"
            label={text.remove}
            size="small"
            isDisabled={count <= 2}
            onPress={onRemove}
          />
        </span>
        {at > 0 && (
          <Checkbox isSelected={row.isTogether} onChange={isTogether => onChange({ ...row, isTogether })}>
            {text.together}
          </Checkbox>
        )}
      </fieldset>
    </li>
  )
}
