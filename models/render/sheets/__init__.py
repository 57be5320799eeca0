"""Flat prints of score sheets: this product's own, and look-alikes of those as sold."""
