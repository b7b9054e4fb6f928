import { useState } from 'react'
import { exportTaxRecords } from '#contract/billing/tax-records.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button } from '../../parts/button.tsx'
import { currentTime } from '../../parts/clock.ts'
import { DateField } from '../../parts/number-fields.tsx'
import { useWords } from '../../words/words.ts'
import styles from './settings.module.css'
import { taxRecordTexts } from './tax-records.words.ts'

/** Downloads the records of a period; at first that of this year (TAX-10). */
export function TaxRecordExport() {
  const text = useWords(taxRecordTexts)
  const [days, setDays] = useState(() => {
    const today = new Date(currentTime()).toISOString().slice(0, 10)
    return { from: `${today.slice(0, 4)}-01-01`, to: today }
  })
  const download = useDownload(exportTaxRecords, `verifactu-${days.from}-${days.to}.zip`)
  return (
    <section className={styles.after} aria-label={text.exportTitle}>
      <div className={styles.fields}>
        <div className={styles.pair}>
          {(['from', 'to'] as const).map(name => (
            <DateField
              key={name}
              label={text[name]}
              value={days[name]}
              onChange={day => setDays({ ...days, [name]: day })}
            />
          ))}
        </div>
        <div>
          <Button
            icon="download"
            isDisabled={days.from === '' || days.to === ''}
            isBusy={download.isPending}
            onPress={() =>
              download.mutate(
                { query: days },
                {
                  toast: () => text.exported,
                  toastsFailure: true,
                },
              )
            }
          >
            {text.download}
          </Button>
        </div>
      </div>
    </section>
  )
}
