import { lazy, type ReactNode, Suspense } from 'react';
import { type DialogWindowProps } from './dialog-window.tsx';

const DialogWindow = lazy(() => import('./dialog-window.tsx'));

interface DialogProps extends DialogWindowProps {
  isOpen: boolean;
}

/** A window over the page that keeps the focus until it is closed. */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return (
    isOpen && (
      <Suspense>
        <DialogWindow {...rest} />
      </Suspense>
    )
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
