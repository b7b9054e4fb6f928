import { useState } from 'react'
import { listDepartments } from '#contract/identity/units.ts'
import { updateAsset, visibilities } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction, useList } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { AnyAsset, Visibility } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { assetFormTexts } from './asset-form.words.ts'
import styles from './assets.module.css'
import { changedDetails, type Details, tagsIn } from './details.rules.ts'

/** Changes the name, the short address, the tags and the readers of an asset. None of them makes a version. */
export function DetailsDialog({ asset: given, onClose }: { asset: AnyAsset; onClose: () => void }) {
  const text = useWords(assetFormTexts)
  const lacks = useWords(lacksTexts)
  const fields = useWords(assetTexts)
  // live changes of others do not replace what the form was opened with
  const [asset] = useState(given)
  const update = useAction(updateAsset)
  const [values, setValues] = useState<Details>({
    name: asset.name,
    slug: asset.slug,
    tags: asset.tags.join(', '),
    visibility: asset.visibility,
    departments: asset.departments,
  })
  const change = (changed: Partial<Details>) => setValues(former => ({ ...former, ...changed }))
  const hasTooMany = tagsIn(values.tags).length > studioLimits.assetTags
  const lacksDepartment = values.visibility === 'DEPARTMENT' && values.departments.length === 0

  async function send(): Promise<void> {
    if (hasTooMany) return
    const body = changedDetails(asset, values)
    if (Object.keys(body).length > 0) {
      const saved = await update.mutateAsync({
        params: { id: asset.id },
        body: { ...body, expectedUpdatedAt: asset.updatedAt },
      })
      showToast({ text: text.saved(saved.name) })
    }
    onClose()
  }
  return (
    <Dialog title={text.detailsTitle(asset.name)} isOpen onClose={onClose}>
      <ActionForm lacks={lacksDepartment && lacks.departments} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(updateAsset, 'name')}
              label={fields.name}
              isRequired
              value={values.name}
              onChange={name => change({ name })}
              autoComplete="off"
            />
            <div className={styles.pair}>
              <TextField
                {...fieldOf(updateAsset, 'slug')}
                label={fields.slug}
                hint={text.slugHint}
                isRequired
                pattern="[a-z0-9]+(-[a-z0-9]+)*"
                value={values.slug}
                onChange={slug => change({ slug })}
                autoComplete="off"
                spellCheck="false"
              />
              <TextField
                label={fields.tags}
                hint={text.tagsHint}
                value={values.tags}
                onChange={tags => change({ tags })}
                autoComplete="off"
              />
            </div>
            {hasTooMany && <Notice kind="danger">{text.tooManyTags(studioLimits.assetTags)}</Notice>}
            {asset.access === 'ADMIN' ? (
              <Readers values={values} onChange={change} />
            ) : (
              <Notice>{text.onlyAdmins}</Notice>
            )}
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function Readers({ values, onChange }: { values: Details; onChange: (change: Partial<Details>) => void }) {
  const text = useWords(assetFormTexts)
  const fields = useWords(assetTexts)
  return (
    <>
      <RadioGroup<Visibility>
        label={fields.visibility}
        hint={text.readersHint}
        options={visibilities.map(value => ({ value, label: fields[value], hint: text[`about${value}`] }))}
        value={values.visibility}
        onChange={visibility => onChange({ visibility })}
      />
      {values.visibility === 'DEPARTMENT' && <DepartmentBoxes values={values} onChange={onChange} />}
    </>
  )
}

function DepartmentBoxes({
  values: { departments },
  onChange,
}: {
  values: Details
  onChange: (change: Partial<Details>) => void
}) {
  const text = useWords(assetFormTexts)
  const list = useList(listDepartments, { query: { limit: 100 } })
  return (
    <fieldset className={styles.boxes}>
      <legend className={styles.name}>{text.departments}</legend>
      {!list.isLoading && list.items.length === 0 && <p className={styles.quiet}>{text.noDepartments}</p>}
      {list.items.map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={departments.includes(id)}
          onChange={isChosen =>
            onChange({ departments: isChosen ? [...departments, id] : departments.filter(one => one !== id) })
          }
        >
          {name}
        </Checkbox>
      ))}
      {departments.length === 0 && <p className={styles.quiet}>{text.chooseDepartment}</p>}
    </fieldset>
  )
}
