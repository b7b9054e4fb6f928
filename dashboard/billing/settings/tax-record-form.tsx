import { useState } from 'react'
import { readTaxRecordStatus, updateTaxRecordOptions } from '#contract/billing/tax-records.ts'
import type { Input, Reply } from '#contract/route.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { dataOf } from '../../data/contract.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import { taxRecordTexts } from './tax-records.words.ts'

type Status = Reply<typeof readTaxRecordStatus>
type Options = Input<typeof updateTaxRecordOptions>['body']
type Reason = NonNullable<Options['untaxedDomestic']>

const modes = ['OFF', 'KEEP', 'SEND'] as const
const regimes = ['01', '07', '20'] as const

/** The mode and the tax data of records (TAX-1, TAX-7). A change of the mode is confirmed: the first record is final. */
export function TaxRecordForm({ status }: { status: Status }) {
  const text = useWords(taxRecordTexts)
  const language = useLanguage()
  const { mode, regime, untaxedDomestic, untaxedForeign } = status
  const [typed, setTyped] = useState<Options>({ mode, regime, untaxedDomestic, untaxedForeign })
  const [isAsking, setAsking] = useState(false)
  const update = useAction(updateTaxRecordOptions, { refreshes: [readTaxRecordStatus] })
  const change = (changed: Partial<Options>) => setTyped({ ...typed, ...changed })
  const save = async () => {
    await update.mutateAsync({ body: typed })
    setAsking(false)
    showToast({ text: text.saved })
  }
  return (
    <ActionForm
      aria-label={text.title}
      onSubmit={async () => (typed.mode === mode ? save() : setAsking(true))}
    >
      {({ isBusy }) => (
        <div className={styles.fields}>
          <RadioGroup
            label={text.mode}
            value={typed.mode}
            onChange={wanted => change({ mode: wanted })}
            options={modes.map(value => ({
              value,
              label: text[value],
              hint: text[`${value}Hint`],
              isDisabled: value !== mode && !isPossible(value, status),
            }))}
          />
          {status.recordCount > 0 && <Notice>{text.hasRecords}</Notice>}
          {!status.canKeep && <Notice kind="warn">{text.noProducer}</Notice>}
          {status.canKeep && !status.canSend && <Notice>{text.noOffice}</Notice>}
          <Choice
            label={text.regime}
            value={typed.regime}
            onChange={value => change({ regime: value })}
            options={regimes.map(value => ({ value, label: text[value] }))}
          />
          {(['untaxedDomestic', 'untaxedForeign'] as const).map(name => (
            <Choice<Reason | 'NONE'>
              key={name}
              label={text[name]}
              hint={text.untaxedHint}
              value={typed[name] ?? 'NONE'}
              onChange={value => change({ [name]: value === 'NONE' ? null : value })}
              options={(['NONE', ...reasonsOf(name)] as const).map(value => ({
                value,
                label: text[value],
              }))}
            />
          ))}
          <div>
            <Button type="submit" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
          <Confirm
            title={text.confirm(text[typed.mode])}
            action={text.change}
            isOpen={isAsking}
            onClose={() => {
              setAsking(false)
              update.reset()
            }}
            onConfirm={() => save().catch(() => {})}
            isBusy={update.isPending}
            error={update.error && textOfError(update.error, language)}
          >
            {mode === 'OFF' || typed.mode === 'SEND' ? text.confirmOn : text.confirmOff}
          </Confirm>
        </div>
      )}
    </ActionForm>
  )
}

function isPossible(mode: Options['mode'], { canKeep, canSend, recordCount }: Status): boolean {
  if (mode === 'OFF') return recordCount === 0
  return mode === 'KEEP' ? canKeep || recordCount > 0 : canSend
}

function reasonsOf(name: 'untaxedDomestic' | 'untaxedForeign'): Reason[] {
  return dataOf(updateTaxRecordOptions).fields[name]!.values as Reason[]
}
