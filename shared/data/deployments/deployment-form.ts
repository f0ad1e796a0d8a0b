import { isRecord, storedForm } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import {
  hasDictionary,
  isListed,
  pack,
  packOrText,
  unpackedAt,
  unpackJson,
  unpackOrParse,
} from '../table/packed.ts';
import { type DeploymentForm, isCompact } from '../table/stored-form.ts';

type Fields = Record<string, unknown>;

/**
 * Fields with an attribute of their own: those that conditions, walks over the table and single updates use. In the compact
 * forms, `unread` has none: no update writes that of a trading deployment alone.
 */
const APART: ReadonlySet<string> = new Set([
  'pk',
  'sk',
  'entity',
  'due_kind',
  'due_at',
  'deployment_id',
  'user_id',
  'version',
  'unread',
  'last_hold',
  'stage_id',
  'staging',
  'ledger',
]);

const isApart = (name: string, form: DeploymentForm): boolean =>
  APART.has(name) && !(name === 'unread' && isCompact(form));

/** Fields that most events change. */
const PROGRESS: ReadonlySet<string> = new Set([
  'phase',
  'updated_at',
  'orders_count',
  'latest_order',
  'risk',
  'sent',
  'change_seq',
]);

/** Fields that only a newer version knows, by their place. */
interface Unknown {
  readonly apart: ReadonlySet<string>;
  readonly facts: Fields;
  readonly progress: Fields;
}

const NOTHING: Unknown = { apart: new Set(), facts: {}, progress: {} };

/** Form in which a deployment was read. */
interface ReadForm {
  readonly form: DeploymentForm;
  /** Attributes of fields that the packed form does not keep apart. */
  readonly loose: readonly string[];
  readonly unknown: Unknown;
}

const FORM = Symbol('form of a deployment');

interface Formed {
  [FORM]?: ReadForm;
}

const asFields = (value: unknown): Fields => {
  if (!isRecord(value)) throw new TypeError('a packed part of a deployment must be a record');
  return value;
};

const without = (fields: Fields, known: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(known, name)));

/** Tells the form of a deployment from its packed parts. Only the compact forms pack `unread`. */
const packedFormOf = (
  facts: Uint8Array,
  progress: Uint8Array | string,
  packsUnread: boolean,
): DeploymentForm => {
  if (typeof progress !== 'string' && isListed(progress)) return 'listed';
  return hasDictionary(facts) || packsUnread ? 'compact' : 'packed';
};

/**
 * Reads an item in any form. An attribute of its own prevails over a packed one.
 *
 * @param parse parses its fields.
 * @throws ZodError for damaged parts.
 */
export const readForm = <D extends object>(stored: Item, parse: (item: Item) => D): D & Formed => {
  const { facts: bytes, progress: moving, ...apart } = stored;
  const isPacked =
    bytes instanceof Uint8Array && (typeof moving === 'string' || moving instanceof Uint8Array);
  const facts = isPacked ? unpackedAt('facts', () => asFields(unpackJson(bytes))) : {};
  const progress = isPacked ? unpackedAt('progress', () => asFields(unpackOrParse(moving))) : {};
  const deployment = parse({ ...facts, ...progress, ...apart });
  const form = isPacked ? packedFormOf(bytes, moving, Object.hasOwn(facts, 'unread')) : 'attributes';
  const [loose, unknown]: [string[], string[]] = [[], []];
  for (const name of Object.keys(apart)) {
    if (!isApart(name, form)) (Object.hasOwn(deployment, name) ? loose : unknown).push(name);
  }
  const read: ReadForm = {
    form,
    loose,
    unknown: {
      apart: new Set(unknown),
      facts: without(facts, deployment),
      progress: without(progress, deployment),
    },
  };
  return Object.assign(deployment, { [FORM]: read });
};

type Place = 'apart' | 'facts' | 'progress';

type Parts = Readonly<Record<Place, Fields>>;

const unknownOf = (deployment: Formed): Unknown => deployment[FORM]?.unknown ?? NOTHING;

const placeOf = (name: string, { apart }: Unknown, form: DeploymentForm): Place => {
  if (isApart(name, form) || apart.has(name)) return 'apart';
  return PROGRESS.has(name) ? 'progress' : 'facts';
};

/** Returns the fields by their place in a form. */
const partsOf = (deployment: Item & Formed, form: DeploymentForm): Parts => {
  const unknown = unknownOf(deployment);
  const parts: Parts = { apart: {}, facts: { ...unknown.facts }, progress: { ...unknown.progress } };
  const fields = storedForm(deployment);
  for (const name of Object.keys(fields)) {
    const place = placeOf(name, unknown, form);
    if (place !== 'facts' || Object.hasOwn(deployment, name)) parts[place][name] = fields[name];
  }
  return parts;
};

/** Returns the fields of the progress alone. */
const progressOf = (deployment: Item & Formed): Fields => {
  const progress: Fields = { ...unknownOf(deployment).progress };
  const fields = storedForm(deployment);
  for (const name of PROGRESS) {
    if (Object.hasOwn(fields, name)) progress[name] = fields[name];
  }
  return progress;
};

/** Returns the attributes of a new deployment in a packed form. */
export const packedForm = (deployment: Item, form: DeploymentForm): Item => {
  const { apart, facts, progress } = partsOf(deployment, form);
  return { ...apart, facts: pack(facts, 'facts'), progress: packOrText(progress, 'progress') };
};

/** Returns the fields that differ; undefined for those that are gone. */
const changedFields = (before: Readonly<Item>, after: Readonly<Item>): Item => {
  const changed: Record<string, unknown> = {};
  let kept = 0;
  for (const name of Object.keys(after)) {
    const was = before[name];
    if (was !== undefined) kept += 1;
    if (was !== after[name]) changed[name] = after[name];
  }
  const names = Object.keys(before);
  // Mostly no field is gone.
  if (kept === names.length) return changed;
  for (const name of names) {
    if (before[name] !== undefined && !Object.hasOwn(after, name)) changed[name] = undefined;
  }
  return changed;
};

/** Removes the attributes that the form as read does not keep apart. */
const withoutLoose = ({ [FORM]: form }: Formed): Item =>
  Object.fromEntries((form?.loose ?? []).map((name) => [name, undefined]));

/** Returns the change of the field that only some forms keep apart, if a deployment gets another form. */
const movedUnread = (was: DeploymentForm | undefined, { unread }: Item, form: DeploymentForm): Item =>
  was === form ? {} : { unread: isApart('unread', form) ? unread : undefined };

/**
 * Returns the attributes that a change writes and removes in a packed form. Most changes leave the facts as they are: only
 * a part with a changed field is made.
 */
const packedChange = (before: Item & Formed, after: Item & Formed, form: DeploymentForm): Item => {
  const { form: was, loose = [], unknown = NOTHING } = before[FORM] ?? {};
  const isKept = was === form && loose.length === 0;
  const changed = { apart: {} as Fields, facts: !isKept, progress: !isKept };
  for (const [name, value] of Object.entries(changedFields(storedForm(before), storedForm(after)))) {
    const place = placeOf(name, unknown, form);
    if (place === 'apart') changed.apart[name] = value;
    else changed[place] = true;
  }
  return {
    ...withoutLoose(before),
    ...movedUnread(was, after, form),
    ...changed.apart,
    ...(changed.facts && { facts: pack(partsOf(after, form).facts, 'facts') }),
    ...(changed.progress && { progress: packOrText(progressOf(after), 'progress') }),
  };
};

/**
 * Returns the attributes that a change writes and removes in the form of attributes. Fields with an attribute of their own
 * are written only if they change: an update must not name the key.
 */
const attributesChange = (before: Item & Formed, after: Item): Item => {
  const { form = 'attributes' } = before[FORM] ?? {};
  if (form === 'attributes') return changedFields(before, after);
  const [was, is] = [partsOf(before, form), partsOf(after, form)];
  return {
    ...withoutLoose(before),
    ...changedFields(was.apart, is.apart),
    ...is.facts,
    ...is.progress,
    facts: undefined,
    progress: undefined,
  };
};

/** Returns the attributes that a change of a deployment writes; undefined for those that it removes. */
export const formChange = (before: Item, after: Item, form: DeploymentForm): Item =>
  form === 'attributes' ? attributesChange(before, after) : packedChange(before, after, form);

/** Returns a deployment as if it had just been read after it was written in a form. */
export const inForm = <D extends Item & Formed>(deployment: D, form: DeploymentForm): D => {
  const { unknown } = deployment[FORM] ?? { unknown: NOTHING };
  return { ...deployment, [FORM]: { form, loose: [], unknown } };
};
