import { keptValues } from '../kept.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LatePart } from '../ui/late.tsx';
import { useKept } from '../ui/use-kept.ts';
import type { CopySource } from './copy-form.tsx';

const SOURCES = keptValues<CopySource | undefined>();

/** Holds the strategy that the dialog copies. */
export const useCopySource = () => useKept(SOURCES, 'copy', () => undefined);

/** Loads the form when the dialog opens: it has the search for instruments. */
const loadForm = async () => (await import('./copy-form.tsx')).CopyForm;

interface CopyDialogProps {
  /** Closed without one. */
  readonly source: CopySource | undefined;
  readonly onClose: () => void;
}

/** Dialog that copies a strategy under a name and for instruments of the user's choice. */
export const CopyDialog = ({ source, onClose }: CopyDialogProps) => (
  <Dialog
    title={source ? `Copy ${source.strategy_name}` : 'Copy'}
    open={source !== undefined}
    onClose={onClose}
  >
    {source && <LatePart key={source.strategy_key} load={loadForm} props={{ source, onClose }} />}
  </Dialog>
);
